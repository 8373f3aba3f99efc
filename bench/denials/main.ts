import { openConnection, postBytes } from "../connection.ts";
import { sayRow, withOneServer, type OneServer } from "../one-server.ts";
import { makeFamilies } from "./causes.ts";
import { compare, type Run } from "./measure.ts";

const runsOfEach = 3;
const boundOfAuc = 0.05;
const plantedMs = 0.1;

/**
 * Whether the time of a denial tells its cause: 2,000 pairs of calls in each of three runs, |AUC - 0.5| among neighbours
 * at most 0.05 in every run; and whether 100 microseconds more would be found, which is added to the same calls at the
 * caller. Fails where a bound is broken, and where the planted difference is missed. `--quick` calls 300 pairs once,
 * too few to hold a bound.
 */
export async function benchDenials(args: readonly string[]): Promise<void> {
  await withOneServer((server) => measure(server, args.includes("--quick")));
}

async function measure({ databases, port }: OneServer, quick: boolean): Promise<void> {
  const { appUrl: url, secrets } = databases;
  const families = await makeFamilies({ url, secrets }, (call) => send(port, call));
  await databases.settle();
  const pace = { port, pairs: quick ? 300 : 2_000 };
  const runs = quick ? 1 : runsOfEach;
  let isKept = true;
  for (const { call, status, causes } of families) {
    const [first, ...others] = causes;
    if (!first) continue;
    for (const second of others) {
      const measured = await times(runs, () => compare({ ...pace, status, first, second }));
      const kept = measured.every(({ auc }) => !tells(auc));
      isKept &&= kept;
      sayRow([call, `${second.name} / ${first.name}`, ...shown(measured), kept ? "kept" : "BROKEN"]);
    }
    const planted = await times(runs, () => compare({ ...pace, status, first, second: first, plantedMs }));
    const found = planted.every(({ auc }) => tells(auc));
    isKept &&= found;
    sayRow([call, `${first.name}, 100 \u00b5s planted`, ...shown(planted), found ? "found" : "MISSED"]);
  }
  if (!isKept) process.exitCode = 1;
}

function tells(auc: number): boolean {
  return Math.abs(auc - 0.5) > boundOfAuc;
}

async function times(count: number, run: () => Promise<Run>): Promise<readonly Run[]> {
  const all: Run[] = [];
  while (all.length < count) all.push(await run());
  return all;
}

function shown(runs: readonly Run[]): readonly string[] {
  const last = runs.at(-1);
  const ms = last ? `${last.firstMs.toFixed(2)}/${last.secondMs.toFixed(2)} ms` : "";
  return [runs.map(({ auc }) => auc.toFixed(3)).join(" "), ms];
}

/** A call that is taken: the id of the task it made. */
async function send(port: number, call: { key: string; body: string }): Promise<string> {
  const failed = Promise.withResolvers<never>();
  const connection = await openConnection(port, failed.reject);
  const reply = new Promise<string>((resolve) => connection.exchange(postBytes(port, call), resolve));
  const text = await Promise.race([reply, failed.promise]);
  connection.close();
  const id = /"id":"([0-9a-f]{8}-[0-9a-f-]{27})"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`A call that must be taken was refused: ${text.split("\r\n\r\n").at(-1)}`);
  return id;
}
