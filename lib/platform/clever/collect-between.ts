import type { IncomingMessage, ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * How much the old generation may grow before V8 begins another full collection, in percent of what survived the last one.
 * By default V8 begins one when less is left than its young generation takes; with 90 MB alive that was at every 25th to
 * 60th page.
 */
export const heapGrowingPercent = 200;

/** Long enough for a browser to show a page and to request everything that belongs to it. */
const pauseMs = 100;

type Page = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Collects the garbage of pages in the pauses between them, when no reader waits. Call it as each page begins. Otherwise V8
 * would collect during one page of ten, which then takes 10 to 20 ms longer; in a pause it takes 3 ms. Without pauses, V8
 * collects as usual. A stream of events does not count as a page, because it stays open as long as its reader. Full
 * collections are left to V8, at longer intervals.
 */
export function collectBetween(): Page {
  // V8 exposes its collector only with this flag; only this function gets it.
  setFlagsFromString("--expose-gc");
  // Safe because this is what the flag exposes, as `@types/node` declares it.
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
