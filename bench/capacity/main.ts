import { trouble } from "../../scripts/processes/report.mjs";
import { type Input, type InputName, inputs } from "./inputs.ts";
import { type Capacity, capacityFor, given } from "./model.ts";

const isInput = (name: string): name is InputName => Object.hasOwn(inputs, name);

/** `--cases=260e6 --practices=40000`: what so many cases a year take, and every input with its source. */
export function printCapacity(args: readonly string[]): void {
  const others: Partial<Record<InputName, number>> = {};
  for (const arg of args) {
    const [, name = "", value = ""] = /^--(\w+)=(\S+)$/.exec(arg) ?? [];
    if (!isInput(name) || !(Number(value) > 0))
      throw trouble(
        `npm run capacity takes ${Object.keys(inputs)
          .map((key) => `--${key}=<number>`)
          .join(", ")}.`,
      );
    others[name] = Number(value);
  }
  const of = given(others);
  const rows = Object.entries(inputs).map(([name, input]) => [
    name,
    input.what,
    `${show(of[name as InputName])} ${input.unit}`.trim(),
    sourceOf(input, others, name),
  ]);
  process.stdout.write(
    `${table(["input", "what", "value", "source"], rows)}\n\n${table(["what it takes", "figure"], results(capacityFor(of)))}\n`,
  );
}

function sourceOf({ source }: Input, others: object, name: string): string {
  if (Object.hasOwn(others, name)) return "given";
  return source === "assumed" ? "assumed" : source.page;
}

function results(of: Capacity): readonly (readonly string[])[] {
  return [
    ["cases a second in working hours, and at the peak", `${show(of.meanPerSecond)}, ${show(of.peakPerSecond)}`],
    ["processor time of a case, at most", `${show(of.processorMsPerCase)} ms`],
    ["processors at the peak, all programs and the database", show(of.processors)],
    ["server processes, worker processes", `${of.webProcesses}, ${of.workerProcesses}`],
    ["connections without PgBouncer", show(of.connections)],
    ["tables and indexes a year, and kept", `${show(of.tablesTbYear)} TB, ${show(of.tablesTbKept)} TB`],
    ["write-ahead log a day, and at the peak", `${show(of.walGbDay)} GB, ${show(of.walMbSecondAtPeak)} MB/s`],
    ["log lines a day, if every poll is logged", `${show(of.logGbDay)} GB`],
    [
      "releases a second of one practice: possible, and of a mean practice at the peak",
      `${show(of.releasesPerSecondOfPractice)}, ${show(of.releasesPerSecondOfMeanPractice)}`,
    ],
    ["largest cluster that comes back in time", `${show(of.clusterTbMost)} TB`],
    ["cells", show(of.cells)],
  ];
}

const show = (value: number) => value.toLocaleString("en-US", { maximumSignificantDigits: 3 });

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
