import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { startTracing } from "#lib/platform/tracing/start-tracing";
import { sharedStore } from "#lib/db/db";
import { assert } from "#lib/platform/result";
import type { AnsweredFigures } from "#lib/platform/metrics/instruments";
import type { MessageFromThread, MessageToThread } from "./long-call-thread.ts";
import { helpAddress } from "./help-address.ts";
import { openCallBook } from "./admit/call-book.ts";
import { longBodies } from "./admit/limits.ts";
import type { LoadAdmission, Load } from "./admit/load.ts";
import { sampledReads } from "./admit/sampled-reads.ts";
import { createPlaces } from "#lib/platform/http/places";
import { answerReceived } from "./serve.ts";
import { logFailure } from "#lib/db/unavailable";

assert(parentPort, "only `openLongCallThread` starts this thread");
const port = parentPort;
// When processor time is short, calls with files wait a little longer than others. Only on Linux does a thread have a
// priority of its own.
if (platform() === "linux") setPriority(5);
const post = (message: MessageFromThread) => port.postMessage(message);
const log = createLog("server", (line) => post({ type: "line", line }));
const endTracing = await startTracing("server");
// Connections of its own, so that long calls that wait for one do not delay short calls.
const store = sharedStore({ connectionsMax: 6 });
const book = openCallBook(store, (error) =>
  logFailure(log, { err: error }, "the counts of long calls could not be kept up"),
);
const onAnswered = (figures: AnsweredFigures) => post({ type: "answered", answered: figures });
const isReadLogged = sampledReads(env().LOG_READS_ONE_IN);
/** Every call that opens many stored bytes comes to this thread, so their turns are counted here. */
const amending = createPlaces(longBodies.amending);
const entering = new Map<number, (entered: LoadAdmission) => void>();

port.on("message", (message: MessageToThread) => {
  if (message.type === "call") void answer(message);
  else if (message.type === "entered") entering.get(message.n)?.(message.full ?? { leave: () => undefined });
  else void close();
});

async function answer({ n, call }: Extract<MessageToThread, { readonly type: "call" }>): Promise<void> {
  const parts = { store, load: loadOf(n), book, log, onAnswered, isReadLogged, help: helpAddress() };
  const answered = await answerReceived(call, parts);
  entering.delete(n);
  post({ type: "reply", n, answered });
}

/** The thread that started this one counts the load, and frees the place of a call when it has the reply. */
function loadOf(n: number): Load {
  const alreadyRead = async () => undefined;
  return {
    enter: (channelId, limits, bytes = 0) =>
      new Promise((resolve) => {
        entering.set(n, resolve);
        post({ type: "enter", n, channelId, limits, bytes });
      }),
    // The main thread alone holds answers back.
    enterWait: () => ({ leave: () => undefined }),
    endWait: alreadyRead,
    // The main thread has already admitted the body, for reading and for answering.
    readLong: alreadyRead,
    answerLong: alreadyRead,
    amendLong: amending.enter,
  };
}

async function close(): Promise<void> {
  await book
    .write()
    .catch((error: unknown) => logFailure(log, { err: error }, "the counts of long calls were not kept"));
  await store.close();
  await endTracing();
  port.close();
}
