import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup/files.mjs";
import { fail, trouble } from "../../scripts/processes/report.mjs";

const file = join(root, "node_modules", ".cache", "durability-trials.jsonl");

/** `--rounds=20`: so many kills in the middle of intakes, and then what became of those that were acknowledged. */
async function run(args) {
  const rounds = Number(args.find((arg) => arg.startsWith("--rounds="))?.slice("--rounds=".length) ?? 20);
  if (!Number.isInteger(rounds) || rounds < 1) throw trouble("--rounds takes a whole number, such as --rounds=20.");
  mkdirSync(join(file, ".."), { recursive: true });
  rmSync(file, { force: true });
  const command = ["scripts/checks/test.mjs", "--only=e2e", "e2e/service/durability.spec.ts"];
  const env = { ...process.env, DURABILITY_ROUNDS: String(rounds), DURABILITY_TRIALS: file };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "close");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").filter(Boolean) : [];
  const trials = lines.map((line) => JSON.parse(line));
  process.stdout.write(`${table(trials)}\n`);
  if (code === 0 && trials.length === rounds) return;
  process.stdout.write(`\n${trials.length} of ${rounds} rounds were run; the tests ended with ${code}.\n`);
  process.exitCode = 1;
}

function table(trials) {
  const columns = ["acked", "underWay", "unanswered", "lost", "twice", "unrecorded", "broken"];
  const head = [
    "killed",
    "rounds",
    "acknowledged",
    "under way at the kill",
    "never answered",
    "lost",
    "twice",
    "without an entry",
    "broken chains",
  ];
  const sums = (name, list) => [
    name,
    list.length,
    ...columns.map((column) => list.reduce((sum, one) => sum + one[column], 0)),
  ];
  const kinds = Map.groupBy(trials, ({ kind }) => kind);
  const rows = [...[...kinds].map(([kind, list]) => sums(kind, list)), sums("all", trials)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  fail(error);
}
