import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { exitWithParent } from "#lib/platform/process/on-shutdown";
import { openConnection, postBytes, type Connection } from "../connection.ts";
import type { Subject } from "../job.ts";
import type { Errand, FromAgents, ToAgents, Tally, Mode } from "./errand.ts";

/** A process of its own, so that what the agents themselves cost is not counted at the service. */
process.on("message", (job: ToAgents) => {
  if (job === "stop") return stop();
  void run(job).catch((error: unknown) => say({ failed: error instanceof Error ? error.message : String(error) }));
});
exitWithParent(() => process.exit());
say("ready");

function say(what: FromAgents): void {
  process.send?.(what);
}

/** Connections that poll, each for many tasks; a waiting call needs one of its own. */
const pollers = 16;
const tenS = 10_000;
const minuteS = 60;

let [calls, deliveries, bytes, firstMs, lastMs] = [0, 0, 0, 0, 0];
let learnedMs: number[] = [];
/** Each errand has its own, so that what one began does not go on in the next. */
let stopping = new AbortController();
let open: Connection[] = [];
let receiver: Server | undefined;

function stop(): void {
  stopping.abort();
  for (const connection of open) connection.close();
  receiver?.close();
  const tally: Tally = { calls, deliveries, bytes, learnedMs, firstMs, lastMs };
  say({ tally });
}

async function run(errand: Errand): Promise<void> {
  [calls, deliveries, bytes, firstMs, lastMs] = [0, 0, 0, 0, 0];
  learnedMs = [];
  stopping = new AbortController();
  open = [];
  await asks[errand.mode](errand);
}

type Task = { readonly version: number; readonly pollAfterSeconds?: number; readonly status: { timestamp: string } };

const asks: Readonly<Record<Mode, (errand: Errand) => Promise<void>>> = {
  "nobody asks": async () => say("under way"),
  "poll every 10 s": async (errand) => pollAll(errand, tenS, () => tenS),
  "poll by pollAfterSeconds": async (errand) =>
    pollAll(errand, errand.paceMs, ({ pollAfterSeconds }) => (pollAfterSeconds ?? minuteS) * 1_000),
  "wait for 60 s": waitForAll,
  webhook: receive,
};

/** Each task has its own pace; when it was asked first is spread over one pace, as after hours of polling. */
async function pollAll({ port, tasks }: Errand, spreadMs: number, pauseMs: (task: Task) => number): Promise<void> {
  const { signal } = stopping;
  const ask = await sharedConnections(port);
  const poll = async (subject: Subject): Promise<void> => {
    await wait(Math.random() * spreadMs);
    while (!signal.aborted) {
      const task = taskIn(await ask(getBytes(port, subject)));
      if (task.version > 1) return void learnedMs.push(Date.now() - Date.parse(task.status.timestamp));
      await wait(pauseMs(task));
    }
  };
  for (const task of tasks) void poll(task).catch(failed);
  say("under way");
}

/** A few connections lent in turn; one that the server closed while nobody used it is replaced when it is wanted. */
async function sharedConnections(port: number): Promise<(request: string) => Promise<string>> {
  let free: readonly Connection[] = [];
  const wanting: ((connection: Connection) => void)[] = [];
  let made = 0;
  const make = async () => {
    made += 1;
    const connection = await openConnection(port, (error) => {
      if (!free.includes(connection)) return void failed(error);
      free = free.filter((other) => other !== connection);
      made -= 1;
    });
    open.push(connection);
    return connection;
  };
  const take = async () => {
    // The last one used, so that none is taken just when the server closes it as idle.
    const connection = free.at(-1);
    free = free.slice(0, -1);
    if (!connection && made >= pollers) return new Promise<Connection>((resolve) => wanting.push(resolve));
    return connection ?? make();
  };
  return async (request) => {
    const connection = await take();
    const reply = await exchange(connection, request);
    const next = wanting.shift();
    if (next) next(connection);
    else free = [...free, connection];
    return reply;
  };
}

/** A call for each task, on a connection of its own; the first waits are short by chance, so that few end together later. */
async function waitForAll({ port, tasks }: Errand): Promise<void> {
  const { signal } = stopping;
  const addresses = new Map<string, string>();
  for (const { key } of tasks) if (!addresses.has(key)) addresses.set(key, `127.0.0.${addresses.size + 2}`);
  const hold = async (subject: Subject, connection: Connection): Promise<void> => {
    let waitSeconds = 1 + Math.floor(Math.random() * minuteS);
    while (!signal.aborted) {
      const task = taskIn(await exchange(connection, getBytes(port, subject, { unlessVersion: 1, waitSeconds })));
      if (task.version > 1) {
        learnedMs.push(Date.now() - Date.parse(task.status.timestamp));
        return connection.close();
      }
      waitSeconds = minuteS;
    }
  };
  const connecting = 100;
  for (let at = 0; at < tasks.length && !signal.aborted; at += connecting) {
    const some = tasks.slice(at, at + connecting);
    const connections = await Promise.all(some.map(({ key }) => connect(port, addresses.get(key))));
    some.forEach((subject, index) => {
      const connection = connections[index];
      if (connection) void hold(subject, connection).catch(failed);
    });
  }
  say("under way");
}

/** Takes what is delivered, verifies it, and asks once for each task that changed. */
async function receive({ port, tasks, receiverPort, secrets, expected }: Errand): Promise<void> {
  const ask = await sharedConnections(port);
  const subjects = new Map(tasks.map((subject) => [subject.taskId, subject]));
  const take = async (incoming: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (!isSigned(incoming, body, secrets)) return failed(new Error("a delivery was not signed"));
    const head = incoming.rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
    [deliveries, bytes, lastMs] = [deliveries + 1, bytes + head + body.length, Date.now()];
    firstMs ||= lastMs;
    if (deliveries === expected) say("all came");
    // Safe because the delivery is signed, and such a delivery is a task.
    const { id } = JSON.parse(body) as { readonly id: string };
    const subject = subjects.get(id);
    if (subject) void learn(subject).catch(failed);
    return 204;
  };
  const learn = async (subject: Subject): Promise<void> => {
    const task = taskIn(await ask(getBytes(port, subject)));
    learnedMs.push(Date.now() - Date.parse(task.status.timestamp));
  };
  receiver = createServer(
    (incoming, outgoing) => void take(incoming).then((status) => outgoing.writeHead(status).end()),
  );
  await new Promise<void>((resolve) => receiver?.listen(receiverPort, "127.0.0.1", resolve));
  say("under way");
}

/** As Standard Webhooks describes it. */
function isSigned({ headers }: IncomingMessage, body: string, secrets: readonly string[]): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const given = String(headers["webhook-signature"]).split(" ");
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    return given.includes(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });
}

async function connect(port: number, from?: string): Promise<Connection> {
  const connection = await openConnection(port, failed, from);
  open.push(connection);
  return connection;
}

function failed(error: unknown): number {
  if (!stopping.signal.aborted) say({ failed: error instanceof Error ? error.message : String(error) });
  return 500;
}

function getBytes(port: number, { key, taskId }: Subject, metadata?: object): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: taskId, metadata } });
  return postBytes(port, { key, body });
}

async function exchange(connection: Connection, request: string): Promise<string> {
  const reply = await new Promise<string>((resolve) => connection.exchange(request, resolve));
  calls += 1;
  bytes += request.length + reply.length;
  return reply;
}

function taskIn(reply: string): Task {
  if (!reply.startsWith("HTTP/1.1 200 ") || !reply.includes('"result":{"kind":"task"'))
    throw new Error(`tasks/get was answered ${reply.slice(0, 500)}`);
  // Safe because the reply has a task.
  return (JSON.parse(reply.slice(reply.indexOf("\r\n\r\n") + 4)) as { readonly result: Task }).result;
}
