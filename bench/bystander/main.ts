import { setTimeout as wait } from "node:timers/promises";
import { endProcess } from "../../scripts/processes/processes.mjs";
import { sayRow, withOneServer, type OneServer } from "../one-server.ts";
import { attacks } from "./attacks.ts";
import { failedIn, timesOf, watch, type Stretch } from "./measure.ts";
import { makeScene, type Scene } from "./scene.ts";

/** While somebody attacks, others wait at most so many times as long as before, at the 95th percentile. */
const factorMax = 2;

type Pace = { readonly rounds: number; readonly stretchMs: number; readonly settleMs: number };
const whole: Pace = { rounds: 3, stretchMs: 5_000, settleMs: 2_000 };
const quick: Pace = { rounds: 1, stretchMs: 2_500, settleMs: 1_000 };

/**
 * What one caller can do to the others: each attack of `attacks.ts` from a process of its own against a real server,
 * while another channel polls and a reviewer reads the queue, in three stretches: calm, during and after; three rounds
 * of them, so that whatever else the machine does meets all alike. Fails where one of the bystander's requests was
 * refused, or its 95th percentile during an attack is over twice its calm one. `--quick` measures one round of short
 * stretches, too short to hold the second; `--only=<text>` takes the attacks with that text in their names.
 */
export async function benchBystander(args: readonly string[]): Promise<void> {
  const only = args.find((arg) => arg.startsWith("--only="))?.slice("--only=".length) ?? "";
  const names = Object.keys(attacks).filter((name) => name.includes(only));
  await withOneServer((server) => measure(server, names, args.includes("--quick") ? quick : whole));
}

async function measure(server: OneServer, names: readonly string[], pace: Pace): Promise<void> {
  const { attacker, bystander } = await makeScene(server.databases, server.port);
  await server.databases.settle();
  await watch(bystander, pace.stretchMs);
  sayRow(["attack", "calls calm", "during", "after", "queue calm", "during", "after", "refused", ""]);
  sayRow(Array.from({ length: 9 }, () => "---"));
  for (const name of names) {
    const rounds: Round[] = [];
    while (rounds.length < pace.rounds) rounds.push(await round(server, { name, attacker, bystander, pace }));
    tell(name, rounds, pace);
  }
  process.stdout.write("\nTimes in ms, p50/p95; refused: the bystander's requests that were not answered with 200.\n");
}

const stages = ["calm", "during", "after"] as const;
type Round = Readonly<Record<(typeof stages)[number], Stretch>>;

type Attacking = Awaited<ReturnType<typeof makeScene>> & { readonly name: string; readonly pace: Pace };

async function round({ processes }: OneServer, { name, attacker, bystander, pace }: Attacking): Promise<Round> {
  const calm = await watch(bystander, pace.stretchMs);
  const child = await processes.begin({ name: "attacker", entry: "bench/bystander/attacker.ts", env: process.env });
  child.send({ name, scene: attacker } satisfies { name: string; scene: Scene });
  await wait(pace.settleMs);
  const during = await watch(bystander, pace.stretchMs);
  if (child.pid !== undefined) await endProcess(child.pid);
  await wait(pace.settleMs);
  return { calm, during, after: await watch(bystander, pace.stretchMs) };
}

/** Says a row of what all rounds of an attack came to. */
function tell(name: string, rounds: readonly Round[], pace: Pace): void {
  const times = (["calls", "queue"] as const).map((what) =>
    stages.map((stage) => timesOf(rounds.flatMap((each) => each[stage][what]))),
  );
  const refused = stages.map((stage) => rounds.reduce((sum, each) => sum + failedIn(each[stage]), 0));
  const isWithin = times.every(([calm, during]) => calm && during && during.p95 <= factorMax * calm.p95);
  const kept = refused[1] === 0 && (pace === quick || isWithin);
  const shown = times.flat().map(({ p50, p95 }) => `${p50.toFixed(1)}/${p95.toFixed(1)}`);
  sayRow([name, ...shown, refused.join(" "), kept ? "kept" : "BROKEN"]);
  if (!kept) process.exitCode = 1;
}
