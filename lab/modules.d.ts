// The packages of lab/package.json as far as the laboratory uses them: `tsc` passes where they are not installed.

declare module "@likecoin/epubcheck-ts" {
  export const EpubCheck: { validate(bytes: Uint8Array): Promise<{ messages: Message[] }> };
  interface Message {
    id: string;
    message: string;
    severity: string;
    location?: object;
  }
}

declare module "fastify" {
  export function fastify(): App;
  interface App {
    server: import("node:http").Server;
    addHook(name: "onRequest", hook: (request: Request, reply: Reply) => Promise<unknown>): void;
    get(path: string, answer: (request: Request) => Promise<unknown>): void;
    listen(at: { host: string; port: number }): Promise<string>;
  }
  interface Request {
    headers: { authorization?: string };
    params: { id: string };
    query: { format?: string };
  }
  interface Reply {
    code(status: number): { send(body: object): unknown };
  }
}

declare module "gpt-tokenizer/encoding/o200k_base" {
  export function encode(text: string): number[];
}
