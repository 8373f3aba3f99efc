import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup/files.mjs";
import { fail, trouble } from "../../scripts/processes/report.mjs";
import { runRounds } from "./crash-rounds.mjs";

const minuteMs = 60_000;
const file = join(root, "node_modules", ".cache", "crash-trials.jsonl");

/** `--minutes=10`: begins another round of the crash tests as long as that is not over; then prints what became of all. */
async function run(args) {
  const minutes = Number(args.find((arg) => arg.startsWith("--minutes="))?.slice("--minutes=".length) ?? 10);
  if (!Number.isFinite(minutes)) throw trouble("--minutes takes a number, such as --minutes=10.");
  mkdirSync(join(file, ".."), { recursive: true });
  rmSync(file, { force: true });
  const endsAt = performance.now() + minutes * minuteMs;
  const isOver = () => performance.now() >= endsAt || process.exitCode !== undefined;
  const { rounds, failed } = await runRounds({ round, trials: () => trials().length, isOver });
  process.stdout.write(`${table(trials())}\n\nrounds ${rounds}, with a failure or without a trial ${failed}\n`);
  if (failed > 0) process.exitCode = 1;
}

/** What was written down so far. */
function trials() {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line));
}

async function round() {
  const command = [
    "scripts/checks/test.mjs",
    "--only=unit",
    "test/durability/crash.store.test.ts",
    "-t",
    "worker killed",
  ];
  const env = { ...process.env, CRASH_TRIALS: file };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  return code === 0;
}

/** A line for each action at each kind of payer: what became of its trials, over all points. */
function table(list) {
  const head = [
    "wire",
    "action",
    "payer honours our identity",
    "points",
    "trials",
    "one effect",
    "a person asked",
    "lost",
    "two effects",
    "arrived twice",
  ];
  const kinds = new Map(
    list.map(({ wire, action, honoured }) => [`${wire} ${action} ${honoured}`, { wire, action, honoured }]),
  );
  const rows = [...kinds.values()].map(({ wire, action, honoured }) => {
    const of = list.filter((each) => each.wire === wire && each.action === action && each.honoured === honoured);
    const count = (is) => of.filter(is).length;
    return [
      ...[wire, action, honoured ? "yes" : "no", new Set(of.map(({ point }) => point)).size, of.length],
      ...[count(({ effects }) => effects === 1), count(({ effects, isAtPerson }) => effects === 0 && isAtPerson)],
      ...[count(({ effects, isAtPerson }) => effects === 0 && !isAtPerson), count(({ effects }) => effects > 1)],
      count(({ arrivals }) => arrivals > 1),
    ];
  });
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  fail(error);
}
