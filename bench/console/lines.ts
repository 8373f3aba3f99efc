import type { Readings } from "./undisturbed.ts";

/** One line of the bench's table. */
export type Line = { readonly what: string; readonly got: string; readonly limit: string; readonly ok: boolean };

export function timeLine(what: string, all: Readings, limitMs: number): Line {
  return { what, got: timesText(all), limit: `p95 under ${limitMs} ms`, ok: quantile(all.ms, 0.95) < limitMs };
}

type Passes = { readonly requested: Readings; readonly shown: Readings };

/** The limit is the server's; what the browser waited for what it shows stands beside, for it shares the machine. */
export function visitLine(what: string, { requested, shown }: Passes, limitMs: number): Line {
  const line = timeLine(what, requested, limitMs);
  const slowest = `slowest ${Math.max(...shown.ms).toFixed(0)} ms of ${shown.ms.length}`;
  if (shown.ms.length === 0) return line;
  return { ...line, got: `server ${line.got}; browser p50 ${quantile(shown.ms, 0.5).toFixed(0)} ms, ${slowest}` };
}

/** What was disturbed stands beside what counts, so that setting it aside hides nothing. */
export function timesText({ ms, disturbed, disturbedMs }: Readings): string {
  return [
    quantilesText(ms),
    ...(disturbed > 0 ? [`${disturbed} of them disturbed`] : []),
    ...(disturbedMs.length > 0 ? [`disturbed ${quantilesText(disturbedMs)}`] : []),
  ].join(", ");
}

function quantilesText(ms: readonly number[]): string {
  return `p50 ${quantile(ms, 0.5).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms of ${ms.length}`;
}

function quantile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map(({ what, got, limit, ok }) => [what, got, limit, ok ? "yes" : "NO"]);
  const all = [["what", "measured", "limit", "held"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const written = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  const [head = "", ...body] = written;
  return [head, rule, ...body].join("\n");
}
