import { step } from "../scripts/processes/report.mjs";
import { fullReview, smallReview } from "#test/support/agents/reviews";
import { nameOf, serversOf, type Cell, type Server } from "./cells.ts";
import { cpuMsOf } from "./cpu.ts";
import type { Generator } from "./generator.ts";
import type { Measurement } from "./job.ts";
import { figures, type Figure, type Line } from "./report.ts";
import type { Target, Targets } from "./targets.ts";

export type Pace = { readonly rounds: number; readonly warmMs: number; readonly measureMs: number };

/** Microseconds of CPU a call took in the server, its worker where it has one included, and in Postgres. */
type Cost = { readonly serverCpuUs: number | undefined; readonly postgresCpuUs: number | undefined };

/** What one server did on one line in one round. */
export type Round = { readonly round: number; readonly cell: Cell; readonly server: Server } & Measurement & Cost;

type Measuring = {
  readonly generator: Generator;
  readonly targets: Targets;
  readonly postgresPid: number;
  readonly chosen: readonly Cell[];
  readonly pace: Pace;
  readonly signal: AbortSignal;
};

/**
 * Server by server within a line, and round by round: what else the machine does then meets all alike. Each round begins
 * with another server, so that none is always the first on a cold machine or the last on a warm one.
 */
export async function measureRounds(measuring: Measuring): Promise<readonly Round[]> {
  const { targets, chosen, pace, signal } = measuring;
  const measured: Round[] = [];
  for (let round = 1; round <= pace.rounds; round += 1) {
    for (const cell of chosen) {
      signal.throwIfAborted();
      await step(`round ${round}`, async () => {
        for (const server of rotated(serversOf(cell), round)) {
          measured.push({ round, cell, server, ...(await measureOne(measuring, cell, targets[server])) });
        }
        return { line: nameOf(cell) };
      });
    }
  }
  return measured;
}

function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const from = by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

async function measureOne(
  { generator, postgresPid, pace }: Measuring,
  { method, clients, practices: reach, intake, historyLength }: Cell,
  { port, pids, practices, tasks, discussed }: Target,
): Promise<Measurement & Cost> {
  const read = historyLength > 0 ? discussed : tasks;
  const all = method === "tasks/get" ? read : practices;
  const only = practices[0]?.practiceId;
  const subjects = reach === "1" ? all.filter(({ practiceId }) => practiceId === only) : all;
  const serviceReview = intake === "full" ? fullReview : smallReview;
  const before = { server: cpuMsOfAll(pids), postgres: cpuMsOf(postgresPid) };
  const measured = await generator.measure({ port, method, clients, subjects, serviceReview, historyLength, ...pace });
  const perCall = (from: number | undefined, to: number | undefined): number | undefined =>
    from === undefined || to === undefined ? undefined : ((to - from) * 1000) / measured.replies;
  return {
    ...measured,
    serverCpuUs: perCall(before.server, cpuMsOfAll(pids)),
    postgresCpuUs: perCall(before.postgres, cpuMsOf(postgresPid)),
  };
}

/** Undefined where the system does not tell it of one. */
function cpuMsOfAll(pids: readonly (number | undefined)[]): number | undefined {
  return pids.map(cpuMsOf).reduce((sum, ms) => (sum === undefined || ms === undefined ? undefined : sum + ms), 0);
}

/** The middle of the rounds, figure by figure. */
export function lineOf(cell: Cell, measured: readonly Round[]): Line {
  const entries = serversOf(cell).map((server) => {
    const rounds = measured.filter((round) => round.cell === cell && round.server === server);
    const middle = (figure: Figure) => median(rounds.map((round) => round[figure] ?? Number.NaN));
    return [server, Object.fromEntries(figures.map((figure) => [figure, middle(figure)]))];
  });
  // Safe because `serversOf` names servers and `figures` their figures.
  return { cell, byServer: Object.fromEntries(entries) as Line["byServer"] };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
