import { step } from "../../scripts/report.mjs";
import { visitLine, type Line } from "./lines.ts";
import { askedMs, shownMs, signedIn, type Bench, type Timed } from "./pages.ts";
import { readingsOf, type Readings } from "./readings.ts";
import { releaseLines } from "./release.ts";
import { sizeLines } from "./script-sizes.ts";

const warm = 3;

/** Fewer are shown than asked for: no limit is set to what the browser sees, and it takes most of the time. */
const shownShare = 0.25;

/** What the issue sets a limit to, and what was measured in a real browser. */
export async function measureConsole(bench: Bench): Promise<readonly Line[]> {
  const { times } = bench;
  const all = readingsOf(bench);
  const asked = await told("server", () => timeAll(bench, all, { times, time: askedMs }));
  const shownTimes = Math.ceil(times * shownShare);
  const shown = await told("browser", () => timeAll(bench, all, { times: shownTimes, time: shownMs }));
  const lines = all.flatMap(({ readings }) =>
    readings.map(({ what, limitMs }) =>
      visitLine(what, { asked: asked.get(what) ?? [], shown: shown.get(what) ?? [] }, limitMs),
    ),
  );
  const released = await told("release", () => releaseLines(bench));
  const sizes = await told("scripts", () => sizeLines(bench));
  return [...lines, ...released, ...sizes];
}

function told<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  return step(name, async () => ({ line: "measured", value: await run() }));
}

type Timing = { readonly times: number; readonly time: typeof askedMs };

/** The times of each reading by its name, after a few that only warm the server. */
async function timeAll(bench: Bench, all: readonly Readings[], { times, time }: Timing) {
  const got = new Map<string, readonly number[]>();
  for (const { as, readings } of all) {
    const page = await signedIn(bench, as);
    // What is measured is a server in use, not the first minute of one: each is looked at once before any is measured.
    for (const { find } of readings) await time(bench, page, (await find(page, 1))(0, undefined));
    for (const { what, find } of readings) {
      const way = await find(page, warm + times);
      const taken: Timed[] = [];
      for (let n = 0; n < warm + times; n += 1) {
        taken.push(await time(bench, page, way(n, taken.at(-1)?.next)));
      }
      got.set(
        what,
        taken.slice(warm).map(({ ms }) => ms),
      );
    }
    await page.close();
  }
  return got;
}
