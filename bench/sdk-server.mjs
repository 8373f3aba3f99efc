import * as sdk13 from "@a2a-js/sdk/server";
import * as express13 from "@a2a-js/sdk/server/express";
import * as sdk03 from "a2a-sdk-0.3/server";
import * as express03 from "a2a-sdk-0.3/server/express";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import express from "express";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { exitWithParent } from "#lib/platform/process/on-shutdown";

/**
 * The official SDK's server as its documentation sets it up: version 1.3 with its store in Postgres where it is given a
 * database, else version 0.3 with its store in memory, of which nothing outlives it.
 */
const port = Number(process.env.PORT);
const path = "/api/a2a";

const card = {
  name: "Trivial",
  description: "Makes a task of every message and stops where the client would be asked for more.",
  version: "1",
  capabilities: { extensions: [] },
  skills: [],
  defaultInputModes: ["application/json"],
  defaultOutputModes: ["application/json"],
};

const now = () => new Date().toISOString();

/** Version 0.3 speaks what is measured here by itself. */
function serve03() {
  const execute = async ({ taskId, contextId, userMessage: message }, bus) => {
    const ids = { taskId, contextId };
    const made = { state: "submitted", timestamp: now() };
    bus.publish({ kind: "task", id: taskId, contextId, status: made, history: [message] });
    const asking = { state: "input-required", timestamp: now() };
    bus.publish({ kind: "status-update", ...ids, status: asking, final: true });
    bus.finished();
  };
  const known = { ...card, protocolVersion: "0.3.0", url: `http://127.0.0.1:${port}${path}` };
  const executor = { execute, cancelTask: async () => {} };
  const requestHandler = new sdk03.DefaultRequestHandler(known, new sdk03.InMemoryTaskStore(), executor);
  return express03.jsonRpcHandler({ requestHandler, userBuilder: express03.UserBuilder.noAuthentication });
}

/** Version 1.3 translates it, and keeps its tasks. */
function serve13(connectionString) {
  // As many connections as the bare server has.
  const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString, max: 20 }) }) });
  const [submitted, inputRequired] = [1, 6];
  const status = (state) => ({ state, timestamp: now(), message: undefined });
  const execute = async ({ taskId, contextId, userMessage: message }, bus) => {
    const ids = { taskId, contextId };
    const made = { status: status(submitted), artifacts: [], history: [message], metadata: undefined };
    bus.publish(sdk13.AgentEvent.task({ id: taskId, contextId, ...made }));
    bus.publish(sdk13.AgentEvent.statusUpdate({ ...ids, status: status(inputRequired), metadata: undefined }));
    bus.finished();
  };
  const address = { url: `http://127.0.0.1:${port}${path}`, protocolBinding: "JSONRPC", protocolVersion: "0.3" };
  const empty = { securitySchemes: {}, securityRequirements: [], signatures: [] };
  const known = { ...card, ...empty, supportedInterfaces: [{ ...address, tenant: "" }] };
  const executor = { execute, cancelTask: async () => {} };
  const requestHandler = new sdk13.DefaultRequestHandler(known, new DatabaseTaskStore(db), executor);
  const userBuilder = express13.UserBuilder.noAuthentication;
  return express13.jsonRpcHandler({ requestHandler, userBuilder, legacyCompat: { enabled: true } });
}

const { SDK_DATABASE_URL: database } = process.env;
const handler = database === undefined ? serve03() : serve13(database);
express()
  .use(path, handler)
  .listen(port, "127.0.0.1", () => process.send?.("ready"));
exitWithParent(() => process.exit());
