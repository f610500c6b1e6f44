import express from "express";
import { holderOf, reached } from "./reached.ts";
import { readBooks, readChapter, readOutline } from "./typical.ts";

// Express as its first page shows it: everything as it comes, JSON bodies read on every route, objects sent by `json`.
const app = express();
app.use(express.json());
app.use((request, response, next) => {
  if (holderOf(request.headers.authorization) === undefined)
    response.status(401).json({ error: "unauthorized" });
  else next();
});
app.get("/api/v1/books", (_, response) => {
  response.json(readBooks());
});
app.get("/api/v1/books/:id", ({ params }, response) => {
  response.json(readOutline(params.id));
});
app.get("/api/v1/chapters/:id", ({ params, query }, response) => {
  response.json(readChapter(params.id, query.format));
});
const server = app.listen(0, "127.0.0.1", () => reached(server.address()));
