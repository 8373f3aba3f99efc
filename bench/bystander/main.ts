import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureBuilt } from "../../scripts/build.mjs";
import { root } from "../../scripts/files.mjs";
import { lock } from "../../scripts/lock.mjs";
import { endProcess } from "../../scripts/processes.mjs";
import { step, trouble } from "../../scripts/report.mjs";
import { untilStopped } from "../../scripts/stopping.mjs";
import { openDatabases, type Databases } from "../databases.ts";
import { keepProcesses, type Processes } from "../processes.ts";
import { serviceEnvironment } from "../targets.ts";
import { attacks } from "./attacks.ts";
import { watch, type Stretch, type Times } from "./measure.ts";
import { makeScene } from "./scene.ts";

const out = join(root, "bench", "out");

/** While somebody attacks, others wait at most so many times as long as before, at the 95th percentile. */
const factorMax = 2;

type Pace = { readonly stretchMs: number; readonly settleMs: number };
const paces = { whole: { stretchMs: 10_000, settleMs: 3_000 }, quick: { stretchMs: 2_500, settleMs: 1_000 } };

/**
 * What one caller can do to the others: each attack of `attacks.ts` from a process of its own against a real server,
 * while another channel polls and a reviewer reads the queue, in three stretches: calm, during and after. Fails where
 * one of the bystander's requests was refused, or its 95th percentile during an attack is over twice its calm one.
 * `--quick` measures short stretches, too short to hold the second.
 */
export async function benchBystander(args: readonly string[]): Promise<void> {
  mkdirSync(out, { recursive: true });
  const release = await lock(join(out, "bench.lock"), "exclusive");
  if (release === undefined)
    throw trouble("Another bench is running: wait for its end, since each would disturb the other.");
  const stopping = untilStopped();
  const processes = keepProcesses(join(out, "logs"));
  await step("build", async () => ({ line: (await ensureBuilt(stopping.signal)) ? "pages built" : "up to date" }));
  const databases = await openDatabases(join(out, "data"));
  try {
    await Promise.race([measure({ databases, processes, quick: args.includes("--quick") }), stopping.asked]);
  } finally {
    stopping.stop();
    await processes.stop();
    await databases.close();
    release();
  }
}

type Work = { readonly databases: Databases; readonly processes: Processes; readonly quick: boolean };

async function measure({ databases, processes, quick }: Work): Promise<void> {
  const env = await serviceEnvironment({ databases, folder: out });
  await processes.begin({ name: "server", entry: "server.ts", env });
  const { attacker, bystander } = await makeScene(databases, Number(env["PORT"]));
  await databases.settle();
  const { stretchMs, settleMs }: Pace = quick ? paces.quick : paces.whole;
  await watch(bystander, stretchMs);
  say(["attack", "calls calm", "during", "after", "queue calm", "during", "after", "refused", ""]);
  say(Array.from({ length: 9 }, () => "---"));
  let isKept = true;
  for (const name of Object.keys(attacks)) {
    const calm = await watch(bystander, stretchMs);
    const child = await processes.begin({ name: "attacker", entry: "bench/bystander/attacker.ts", env: process.env });
    child.send({ name, scene: attacker });
    await wait(settleMs);
    const during = await watch(bystander, stretchMs);
    if (child.pid !== undefined) await endProcess(child.pid);
    await wait(settleMs);
    const after = await watch(bystander, stretchMs);
    const kept = during.failed === 0 && (quick || isWithin(calm, during));
    isKept &&= kept;
    const stretches = [calm, during, after];
    const refused = stretches.map(({ failed }) => failed).join(" ");
    const times = (["calls", "queue"] as const).flatMap((what) => stretches.map((stretch) => shown(stretch[what])));
    say([name, ...times, refused, kept ? "kept" : "BROKEN"]);
  }
  process.stdout.write("\nTimes in ms, p50/p95; refused: the bystander's requests that were not answered with 200.\n");
  if (!isKept) process.exitCode = 1;
}

function isWithin(calm: Stretch, during: Stretch): boolean {
  return (["calls", "queue"] as const).every((what) => during[what].p95 <= factorMax * calm[what].p95);
}

function shown({ p50, p95 }: Times): string {
  return `${p50.toFixed(1)}/${p95.toFixed(1)}`;
}

function say(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
