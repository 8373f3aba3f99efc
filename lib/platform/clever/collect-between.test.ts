import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { constants, PerformanceObserver, performance, type PerformanceEntry } from "node:perf_hooks";
import { afterEach, expect, test } from "vitest";
import { listening } from "#test/support/servers/served";
import { collectBetween } from "./collect-between.ts";

const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

/** Pages that are answered at once, except `/slow` and `/live`, which the test ends. */
async function served() {
  const drawn = collectBetween();
  const held = new Map<string, ServerResponse>();
  const server = createServer((incoming, outgoing) => {
    drawn(incoming, outgoing);
    outgoing.write("begun");
    if (incoming.url === "/page") outgoing.end();
    else held.set(incoming.url ?? "", outgoing);
  });
  opened.push(server);
  return { url: await listening(server), held };
}

type Collection = { readonly kind: number; readonly flags: number };

/** When V8 was asked to collect what is young, for the first time from now on. */
function collected(): Promise<number> {
  return new Promise((resolve) => {
    const seen = new PerformanceObserver((list) => {
      // Safe because entries of this type have it: https://nodejs.org/api/perf_hooks.html#performanceentrydetail
      for (const { startTime, detail } of list.getEntries() as (PerformanceEntry & { detail: Collection })[]) {
        const { kind, flags } = detail;
        if (kind !== constants.NODE_PERFORMANCE_GC_MINOR || flags !== constants.NODE_PERFORMANCE_GC_FLAGS_FORCED)
          continue;
        seen.disconnect();
        resolve(startTime);
      }
    });
    seen.observe({ entryTypes: ["gc"] });
  });
}

test("what pages leave behind is collected after the last of them was answered, never while one is drawn", async () => {
  const { url, held } = await served();
  const collecting = collected();
  const slow = await fetch(`${url}/slow`);
  await (await fetch(`${url}/page`)).text();
  const slowPage = held.get("/slow");
  const ending = slowPage && once(slowPage, "close").then(() => performance.now());
  slowPage?.end();
  await slow.text();
  expect(await collecting).toBeGreaterThan((await ending) ?? Number.NaN);
});

test("it does not wait for the end of a stream of events", async () => {
  const { url, held } = await served();
  const stream = await fetch(`${url}/live`, { headers: { accept: "text/event-stream" } });
  const collecting = collected();
  await (await fetch(`${url}/page`)).text();
  expect(await collecting).toBeGreaterThan(0);
  expect(held.get("/live")?.writableEnded).toBe(false);
  await stream.body?.cancel();
});
