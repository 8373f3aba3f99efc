/** One line of the bench's table. */
export type Line = { readonly what: string; readonly got: string; readonly limit: string; readonly ok: boolean };

export function timeLine(what: string, all: readonly number[], limitMs: number): Line {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const got = `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms of ${sorted.length}`;
  return { what, got, limit: `p95 under ${limitMs} ms`, ok: at(0.95) < limitMs };
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
