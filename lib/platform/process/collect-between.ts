import type { IncomingMessage, ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How much the old generation grows, in percent of what lived through its last full collection, before V8 begins another.
 * By itself V8 begins one once less is left than its young generation takes: with 90 MB alive that was at every 25th to 60th page.
 */
export const heapGrowingPercent = 200;

/** Within it a browser has shown what it was answered, and asked for whatever else belongs to that. */
const pauseMs = 100;

type Page = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Told of each page as it begins, it collects what pages leave behind in the pauses between them, where nobody waits. V8
 * would do it while it draws one of every ten, which then takes 10 to 20 ms longer; what it finds in a pause is dead, and
 * takes it 3 ms. Where pages follow each other without a pause, V8 collects as it always does. A stream of events is no
 * page: it stays open as long as its reader. What lives longer is left to V8, which is told to begin with it seldom.
 */
export function collectBetween(): Page {
  // Only this function is given the collector, which V8 has for whoever starts it so.
  setFlagsFromString("--expose-gc");
  // Safe because it is what that flag puts there, as `@types/node` declares it.
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  let open = 0;
  let pause: NodeJS.Timeout | undefined;
  return ({ headers }, outgoing) => {
    if (headers.accept === "text/event-stream") return;
    open += 1;
    clearTimeout(pause);
    outgoing.once("close", () => {
      open -= 1;
      if (open === 0) pause = setTimeout(() => collect({ type: "minor" }), pauseMs).unref();
    });
  };
}
