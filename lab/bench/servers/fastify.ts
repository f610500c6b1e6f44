import { fastify } from "fastify";
import { holderOf, reached } from "./reached.ts";
import { readBooks, readChapter, readOutline } from "./typical.ts";

// Fastify as its first page shows it: handlers return objects.
const app = fastify();
app.addHook("onRequest", async (request, reply) => {
  if (holderOf(request.headers.authorization) === undefined)
    return reply.code(401).send({ error: "unauthorized" });
  return undefined;
});
app.get("/api/v1/books", async () => readBooks());
app.get("/api/v1/books/:id", async ({ params }) => readOutline(params.id));
app.get("/api/v1/chapters/:id", async ({ params, query }) => readChapter(params.id, query.format));
await app.listen({ host: "127.0.0.1", port: 0 });
reached(app.server.address());
