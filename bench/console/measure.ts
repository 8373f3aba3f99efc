import { step } from "../../scripts/processes/report.mjs";
import { timesText, visitLine, type Line } from "./lines.ts";
import { requestedMs, shownMs, signedIn, type Bench } from "./pages.ts";
import { visitsOf, type Visits } from "./visits.ts";
import { releaseLines } from "./release.ts";
import { sizeLines } from "./script-sizes.ts";
import { undisturbed, type Readings } from "./undisturbed.ts";

const warm = 3;

/** Fewer are shown than asked for: no limit is set to what the browser sees, and it takes most of the time. */
const shownShare = 0.25;

/** What the issue sets a limit to, and what was measured in a real browser. */
export async function measureConsole(bench: Bench): Promise<readonly Line[]> {
  const { times, only } = bench;
  const isWanted = ({ what }: { readonly what: string }) => what.includes(only);
  const all = visitsOf(bench).map(({ as, visits }) => ({ as, visits: visits.filter(isWanted) }));
  const requested = await narrated("server", () => timeAll(bench, all, { times, time: requestedMs }));
  const shownTimes = Math.ceil(times * shownShare);
  const shown =
    only === ""
      ? await narrated("browser", () => timeAll(bench, all, { times: shownTimes, time: shownMs }))
      : new Map<string, Readings>();
  const lines = all.flatMap(({ visits }) =>
    visits.map(({ what, limitMs }) =>
      visitLine(what, { requested: requested.get(what) ?? none, shown: shown.get(what) ?? none }, limitMs),
    ),
  );
  const released = isWanted({ what: "release: click to the next case" })
    ? await narrated("release", () => releaseLines(bench))
    : [];
  const sizes = isWanted({ what: "scripts of a page" }) ? await narrated("scripts", () => sizeLines(bench)) : [];
  return [...lines, ...released, ...sizes];
}

function narrated<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  return step(name, async () => ({ line: "measured", value: await run() }));
}

const none: Readings = { ms: [], disturbed: 0, disturbedMs: [] };

type Timing = { readonly times: number; readonly time: typeof requestedMs };

/** The readings of each line by its name, after a few that only warm the server. */
async function timeAll(bench: Bench, all: readonly Visits[], { times, time }: Timing) {
  const got = new Map<string, Readings>();
  const plan = { warm, times, most: warm + 2 * times };
  for (const { as, visits } of all.filter((one) => one.visits.length > 0)) {
    const page = await signedIn(bench, as);
    // What is measured is a server in use, not the first minute of one: each is looked at once before any is measured.
    for (const { find } of visits) await time(bench, page, (await find(page, 1))(0, undefined));
    for (const { what, find } of visits) {
      const address = await find(page, plan.most);
      let next: string | undefined;
      const readings = await undisturbed(plan, async (n) => {
        const timed = await time(bench, page, address(n, next));
        next = timed.next;
        return timed;
      });
      got.set(what, readings);
      process.stdout.write(`${what}: ${timesText(readings)}\n`);
    }
    await page.close();
  }
  return got;
}
