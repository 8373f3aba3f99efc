import { readFileSync } from "node:fs";
import { z } from "zod";

const panel = z.object({
  type: z.enum(["timeseries", "state-timeline"]),
  title: z.string(),
  gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
});

const dashboard = z.object({ title: z.string(), panels: z.array(panel) });

export type Panel = z.infer<typeof panel>;

/** A line of a panel, under the name that its legend has. */
export type Line = { readonly name: string; readonly points: readonly (readonly [atS: number, value: number])[] };

export type DrawnPanel = Pick<Panel, "type" | "title" | "gridPos"> & {
  readonly unit: string;
  readonly lines: readonly Line[];
};

/** A kind of panel that is not drawn is refused. */
export function readDashboard(path: string): z.infer<typeof dashboard> {
  return dashboard.parse(JSON.parse(readFileSync(path, "utf8")));
}

export type Range = { readonly fromS: number; readonly toS: number; readonly stepS: number };

const answer = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), values: z.array(z.tuple([z.number(), z.string()])) }),
    ),
  }),
});

/** Grafana's rule: four scrapes, or one beyond the step where that is longer. */
function rateIntervalS({ stepS }: Range, scrapeS: number): number {
  return Math.max(4 * scrapeS, stepS + scrapeS);
}

/** What Prometheus answers to the queries of a panel over a range of time. */
export async function askPanel(
  prometheusUrl: string,
  { type, title, gridPos, fieldConfig, targets }: Panel,
  range: Range,
) {
  const lines: Line[] = [];
  for (const { expr, legendFormat } of targets) {
    const query = expr.replaceAll("$__rate_interval", `${rateIntervalS(range, 15)}s`);
    const parameters = new URLSearchParams({
      ...{ query, start: String(range.fromS), end: String(range.toS), step: String(range.stepS) },
    });
    const reply = await fetch(`${prometheusUrl}/api/v1/query_range?${parameters}`);
    if (!reply.ok) throw new Error(`Prometheus refuses ${query}: ${await reply.text()}`);
    for (const { metric, values } of answer.parse(await reply.json()).data.result)
      lines.push({
        name: legendFormat.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, label: string) => metric[label] ?? ""),
        points: values.map(([atS, value]) => [atS, Number(value)] as const),
      });
  }
  const drawn: DrawnPanel = { type, title, gridPos, unit: fieldConfig.defaults.unit, lines };
  return drawn;
}
