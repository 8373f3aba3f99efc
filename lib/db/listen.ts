import type pg from "pg";
import { z } from "zod";
import { hintChannel, topics } from "./announce.ts";
import { type ClientClass, clientsOf } from "./clients.ts";
import { givingUpSilent } from "./silence.ts";

const hintSchema = z.object({ topic: z.enum(topics), ids: z.array(z.string()) });
export type Hint = z.infer<typeof hintSchema>;

export type ListenHandlers = {
  readonly onHint: (hint: Hint) => void;
  /** The connection stands, for the first time or again: hints before it may have been missed. */
  readonly onConnected: () => void;
  readonly onLost: (error: unknown) => void;
};

const retryMs = [100, 500, 2_000, 5_000] as const;
const probeEveryMs = 10_000;
const answerMs = 5_000;

/**
 * Listens for hints on a connection of its own until it is closed. A lost
 * connection, or one that no longer answers, is replaced. It must reach
 * Postgres itself: a pool in between that shares connections drops LISTEN.
 */
export function listen(url: string, handlers: ListenHandlers): { readonly close: () => Promise<void> } {
  const closing = new AbortController();
  const running = keepListening(clientsOf(url), handlers, closing.signal);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

async function keepListening(Client: ClientClass, handlers: ListenHandlers, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const connected = () => {
      failures = 0;
      handlers.onConnected();
    };
    const problem = await listenOnce(Client, { ...handlers, onConnected: connected }, signal);
    if (signal.aborted) return;
    handlers.onLost(problem);
    const wait = retryMs[Math.min(failures, retryMs.length - 1)] ?? 0;
    failures += 1;
    await pause(wait * (0.5 + Math.random()), signal);
  }
}

/** One connection from its beginning to its end; resolves to why it ended. */
async function listenOnce(Client: ClientClass, handlers: ListenHandlers, signal: AbortSignal): Promise<unknown> {
  const client = new Client({
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: "live",
  });
  // Both may come for one loss; a promise is settled once.
  const lost = new Promise<unknown>((resolve) => {
    client.once("end", () => resolve(new Error("The connection ended.")));
    client.on("error", resolve);
  });
  client.on("notification", ({ payload }) => announceTo(payload, handlers));
  try {
    await client.connect();
    givingUpSilent(answerMs).watch(client);
    await client.query(`LISTEN ${hintChannel}`);
    handlers.onConnected();
    return await Promise.race([lost, probe(client, signal)]);
  } catch (error) {
    return error;
  } finally {
    await endWithin(client);
  }
}

/** Asks now and then whether the connection still answers; rejects when it does not. */
async function probe(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(probeEveryMs, signal);
    if (!signal.aborted) await client.query("SELECT 1");
  }
}

function announceTo(payload: string | undefined, { onHint }: ListenHandlers): void {
  const hint = hintSchema.safeParse(readJson(payload ?? ""));
  if (hint.success) onHint(hint.data);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends a connection, which a peer that is gone would let wait for ever. */
async function endWithin(client: pg.Client): Promise<void> {
  const late = new AbortController();
  await Promise.race([client.end().catch(() => undefined), pause(answerMs, late.signal)]);
  late.abort();
}

/** Resolves after a while, or as soon as the signal says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
