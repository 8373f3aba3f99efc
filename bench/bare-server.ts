import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Pool } from "pg";
import { exitWithParent } from "#lib/platform/process/on-shutdown";

/**
 * What Node and Postgres can do at most: no framework, no credential, no
 * checks; one named statement a call.
 */
const pool = new Pool({ connectionString: process.env.BARE_DATABASE_URL, max: 20 });

type Call = { id: unknown; method: string; params: { id: string; message: object } };
type Row = { id: string; context_id: string; state: string; changed_at: Date };

const statements = {
  "tasks/get": ({ params }: Call) => ({
    name: "get",
    text: "SELECT id, context_id, state, changed_at FROM task WHERE id = $1",
    values: [params.id],
  }),
  "message/send": ({ params }: Call) => ({
    name: "send",
    text: "INSERT INTO task (id, context_id, state, message) VALUES ($1, $2, 'working', $3) RETURNING id, context_id, state, changed_at",
    values: [randomUUID(), randomUUID(), JSON.stringify(params.message)],
  }),
};

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  // Safe because only the generator beside it calls.
  const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
  const { rows } = await pool.query<Row>(statements[call.method as keyof typeof statements](call));
  const body = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: rows[0] && taskOf(rows[0]) });
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
}

function taskOf({ id, context_id, state, changed_at }: Row): object {
  return { kind: "task", id, contextId: context_id, status: { state, timestamp: changed_at.toISOString() } };
}

createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
}).listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.("ready"));
exitWithParent(() => process.exit());
