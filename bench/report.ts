import { nameOf, plainCellOf, servers, wantedOf, type Cell, type Other, type Server } from "./cells.ts";

/** What the tables show of each server; NaN where it could not be measured. */
export const figures = ["requestsPerS", "p50Ms", "p95Ms", "serverCpuUs", "postgresCpuUs"] as const;
export type Figure = (typeof figures)[number];

type Figures = Readonly<Record<Figure, number>>;

/** A line of the tables: medians over the rounds. */
export type Line = { readonly cell: Cell; readonly byServer: { readonly [Name in Server]?: Figures | undefined } };

const others = servers.filter((name) => name !== "service");

/** What was measured, what that is of the others and of what was wanted; then how long a call took, and what of the machine. */
export function tablesOf(lines: readonly Line[]): string {
  const rates = lines.map((line) => [nameOf(line.cell), ...each(line, rateOf), ...ratios(line, lines)]);
  const times = lines.map((line) => [nameOf(line.cell), ...each(line, timeOf)]);
  const costs = lines.map((line) => [nameOf(line.cell), ...each(line, costOf)]);
  return [
    table(["requests/s", ...servers, ...others.map((name) => `of ${name}`), "wanted"], rates),
    table(["ms, p50/p95", ...servers], times),
    table(["CPU \u00b5s a call, Node+Postgres", ...servers], costs),
  ].join("\n\n");
}

function each({ byServer }: Line, say: (figures: Figures) => string): readonly string[] {
  return servers.map((name) => (byServer[name] ? say(byServer[name]) : ""));
}

function rateOf({ requestsPerS }: Figures): string {
  return Math.round(requestsPerS).toLocaleString("en");
}

function timeOf({ p50Ms, p95Ms }: Figures): string {
  return `${p50Ms.toFixed(1)}/${p95Ms.toFixed(1)}`;
}

function costOf({ serverCpuUs, postgresCpuUs }: Figures): string {
  return `${serverCpuUs.toFixed(0)}+${postgresCpuUs.toFixed(0)}`;
}

function ratios({ cell, byServer }: Line, lines: readonly Line[]): readonly string[] {
  const plain = lines.find((line) => line.cell === plainCellOf(cell))?.byServer;
  const reached = (name: Other): number | undefined =>
    byServer.service && plain?.[name] && byServer.service.requestsPerS / plain[name].requestsPerS;
  const wanted = wantedOf(cell);
  const short = others.filter((name) => (reached(name) ?? Infinity) < (wanted[name] ?? 0));
  const missed = short.map((name) => `${wanted[name]} of ${name}`).join(", ");
  const verdict = missed === "" ? "reached" : `not reached: ${missed}`;
  return [...others.map((name) => reached(name)?.toFixed(2) ?? ""), plain ? verdict : ""];
}

/** Names and words to the left, figures to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column === 0 || header[column] === "wanted";
  return all
    .map((row) => {
      const cells = row.map((text, column) => {
        const width = widths[column] ?? 0;
        return isText(column) ? text.padEnd(width) : text.padStart(width);
      });
      return cells.join("  ").trimEnd();
    })
    .join("\n");
}
