import { platform, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { createLog } from "#lib/platform/log";
import { sharedStore } from "#lib/db/db";
import { assert } from "#lib/platform/result";
import type { FromThread, ToThread } from "./aside.ts";
import { openCallBook } from "./admit/call-book.ts";
import type { LoadAdmission, Load } from "./admit/load.ts";
import { answerRead } from "./serve.ts";

assert(parentPort, "only `openAside` starts this thread");
const port = parentPort;
// Whoever sends files waits a little longer where there is too little processor for all. Only on Linux has a thread a
// priority of its own.
if (platform() === "linux") setPriority(5);
const tell = (message: FromThread) => port.postMessage(message);
const log = createLog("server", (line) => tell({ type: "line", line }));
// Its own connections: what waits for one keeps nobody else waiting.
const store = sharedStore({ connectionsMax: 6 });
const book = openCallBook(store, (error) => log.error({ err: error }, "the counts of long calls could not be kept up"));
const entering = new Map<number, (entered: LoadAdmission) => void>();

port.on("message", (message: ToThread) => {
  if (message.type === "call") void answer(message);
  else if (message.type === "entered") entering.get(message.n)?.(message.full ?? { leave: () => undefined });
  else void close();
});

async function answer({ n, call }: Extract<ToThread, { readonly type: "call" }>): Promise<void> {
  const reply = await answerRead(call, { store, load: loadOf(n), book, log });
  entering.delete(n);
  tell({ type: "reply", n, reply });
}

/** Whoever started this thread counts its load, and gives back a call's place with its reply. */
function loadOf(n: number): Load {
  const isRead = async () => undefined;
  return {
    enter: (channelId, limits, bytes = 0) =>
      new Promise((resolve) => {
        entering.set(n, resolve);
        tell({ type: "enter", n, channelId, limits, bytes });
      }),
    // A body that came here has had its turns.
    readLong: isRead,
    answerLong: isRead,
  };
}

async function close(): Promise<void> {
  await book.write().catch((error: unknown) => log.error({ err: error }, "the counts of long calls were not kept"));
  await store.close();
  port.close();
}
