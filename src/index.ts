/** The library: a writer's manuscript to work on in process, and the HTTP face over it. */
export { type AppOptions, createApp } from "./http/app.ts";
export { HANDLERS as operations } from "./http/handlers.ts";
export { type RunningServer, type ServerOptions, startServer } from "./http/server.ts";
export { type Caller, type Manuscript, openManuscript, type Surroundings } from "./service/manuscript.ts";
