import { countingStatements } from "../databases.ts";
import { makeBystander, withOperator, type Operator } from "../bystander/scene.ts";
import { sayRow, withOneServer, type OneServer } from "../one-server.ts";
import { openAgents } from "./agents-process.ts";
import { costCells, costHeader, measureCost, type Cost, type CostPace } from "./cost.ts";
import { makeCrowd } from "./crowd.ts";
import { measureDeliveries } from "./deliveries.ts";
import { ways } from "./errand.ts";
import { factorOf, heldCells, heldHeader, measureHeld, type HeldPace } from "./held.ts";

/** While calls wait, a bystander's slowest twentieth takes at most so many times as long. */
const factorMax = 1.5;

type Pace = { readonly held: HeldPace & { readonly count: number }; readonly cost: CostPace; readonly due: number };
const whole: Pace = {
  held: { count: 10_000, rounds: 3, stretchMs: 5_000 },
  cost: { tasks: 1_000, changes: 100, ms: 120_000, minutes: 10 },
  due: 2_000,
};
const quick: Pace = {
  held: { count: 1_000, rounds: 1, stretchMs: 2_500 },
  cost: { tasks: 1_000, changes: 100, ms: 30_000, minutes: 0 },
  due: 500,
};

const parts = { held: tellHeld, cost: tellCost, webhooks: tellDeliveries };

/**
 * What waiting costs. `held`: ten thousand calls held back in one process while another channel polls and a reviewer
 * reads the queue; fails where one of these is refused, or the poll's 95th percentile is over 1.5 times that without
 * waiting calls. `cost`: a thousand tasks for two minutes, a hundred of which change, by each way to learn of it.
 * `webhooks`: deliveries a second. `--only=<part>` measures one part, `--quick` holds a tenth of the calls for seconds,
 * too short for a bound.
 */
export async function benchWaiting(args: readonly string[]): Promise<void> {
  const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
  const pace = args.includes("--quick") ? quick : whole;
  const chosen = Object.entries(parts).filter(([name]) => name.includes(only));
  const measure = (server: OneServer) =>
    withOperator(server.databases, async (operator) => {
      for (const [, tell] of chosen) await tell(server, operator, pace);
    });
  await withOneServer(measure, { hasWorker: true, settings: countingStatements });
}

async function tellHeld(server: OneServer, operator: Operator, pace: Pace): Promise<void> {
  const { databases, processes, port } = server;
  const crowd = await makeCrowd(operator, port, "held");
  const bystander = await makeBystander(operator, { port, secret: databases.secrets.nextAuthSecret });
  const agents = await openAgents(processes);
  const measured = await measureHeld({ server, crowd, agents, bystander, ...pace.held, pace: pace.held });
  tellHeader(heldHeader);
  sayRow(heldCells(measured));
  const isKept = factorOf(measured) <= factorMax;
  process.stdout.write(`\nTimes in ms, p50/p95. ${isKept ? "Kept" : "BROKEN"}: at most ${factorMax} of calm.\n\n`);
  if (!isKept && pace === whole) process.exitCode = 1;
}

async function tellCost(server: OneServer, operator: Operator, pace: Pace): Promise<void> {
  const crowd = await makeCrowd(operator, server.port, "cost");
  const agents = await openAgents(server.processes);
  const { tasks, changes, ms } = pace.cost;
  process.stdout.write(`${tasks} tasks for ${ms / 1_000} s, ${changes} of which change.\n\n`);
  tellHeader(costHeader);
  let idle: Cost | undefined;
  for (const mode of ways) {
    const cost = await measureCost({ server, crowd, agents, pace: pace.cost }, mode);
    sayRow(costCells(mode, cost, idle));
    idle ??= cost;
  }
  process.stdout.write("\nThe first row, with the changes themselves, is taken away from the others.\n\n");
}

async function tellDeliveries(server: OneServer, operator: Operator, pace: Pace): Promise<void> {
  const { databases, processes, port } = server;
  const crowd = await makeCrowd(operator, port, "told");
  const agents = await openAgents(processes);
  const perS = await measureDeliveries({ databases, port, crowd, agents, count: pace.due });
  tellHeader(["webhooks", "deliveries/s"]);
  sayRow([`${pace.due.toLocaleString("en")} due at once, 8 channels`, perS.toFixed(0)]);
}

function tellHeader(header: readonly string[]): void {
  sayRow(header);
  sayRow(header.map(() => "---"));
}
