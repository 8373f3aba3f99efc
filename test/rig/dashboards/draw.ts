import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "@playwright/test";
import type { DrawnPanel, Range } from "./panels.ts";

/** Grafana's grid: 24 columns, and rows of 30 pixels with 8 between them. */
const [columns, rowPx, gapPx, widthPx] = [24, 30, 8, 1_600];

const style = `
  * { box-sizing: border-box; margin: 0 }
  body { background: #f4f5f5; color: #24292e; font: 12px/1.4 Inter, Helvetica, Arial, sans-serif; position: relative }
  h1 { font-size: 18px; font-weight: 500; padding: 14px 8px; height: 54px }
  section { position: absolute; background: #fff; border: 1px solid #e4e7ed; border-radius: 2px; overflow: hidden; padding: 6px 8px }
  h2 { font-size: 14px; font-weight: 500 }
  p { color: #6e7687; font-size: 16px; position: absolute; inset: 45% 0 auto; text-align: center }
  ol { padding: 6px 0 }
  li { display: grid; grid-template-columns: 210px 1fr; height: 21px; list-style: none }
  li div { position: relative }
  li i { position: absolute; inset: 2px auto 2px }
  footer { display: flex; flex-wrap: wrap; gap: 0 12px }
  footer span::before { content: ""; display: inline-block; width: 14px; height: 4px; margin: 0 5px 3px 0; border-radius: 1px; background: var(--color) }`;

type Picture = { readonly title: string; readonly panels: readonly DrawnPanel[]; readonly range: Range };

/** The panels of a dashboard as a picture, each where the dashboard has it. */
export async function drawDashboard(browser: Browser, { title, panels, range }: Picture, path: string): Promise<void> {
  const rows = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  const page = await browser.newPage({
    viewport: { width: widthPx, height: 54 + rows * (rowPx + gapPx) + gapPx },
    timezoneId: "UTC",
  });
  const uPlot = fileURLToPath(import.meta.resolve("uplot"));
  await page.setContent(`<!doctype html><style>${style}</style><h1></h1>`);
  await page.addStyleTag({ path: uPlot.replace("uPlot.cjs.js", "uPlot.min.css") });
  await page.addScriptTag({ path: uPlot.replace("uPlot.cjs.js", "uPlot.iife.min.js") });
  await page.addScriptTag({ content: readFileSync(new URL("page.mjs", import.meta.url), "utf8") });
  const cell = (widthPx - gapPx) / columns;
  const times: number[] = [];
  for (let atS = range.fromS; atS <= range.toS; atS += range.stepS) times.push(atS);
  const placed = panels.map(({ type, title: name, unit, lines, gridPos: { x, y, w, h } }) => ({
    panel: { type, title: name, unit, times, lines: lines.map((line) => aligned(line, times)) },
    place: {
      left: gapPx + x * cell,
      top: 54 + y * (rowPx + gapPx),
      width: w * cell - gapPx,
      height: h * (rowPx + gapPx) - gapPx,
    },
  }));
  await page.evaluate(
    ([heading, all]) => {
      const [first] = document.getElementsByTagName("h1");
      if (first) first.textContent = heading;
      // Safe because page.mjs was added above.
      const { drawPanel } = window as unknown as Drawing;
      for (const { panel, place } of all) drawPanel(panel, place);
    },
    [title, placed] as const,
  );
  await page.screenshot({ path });
  await page.close();
}

type Place = Readonly<Record<"left" | "top" | "width" | "height", number>>;

/** What page.mjs adds to the page. */
type Drawing = { readonly drawPanel: (panel: object, place: Place) => void };

/** A value for each moment, and none where Prometheus has none. */
function aligned({ name, points }: DrawnPanel["lines"][number], times: readonly number[]) {
  const known = new Map(points.map(([atS, value]) => [Math.round(atS), value]));
  const values = times.map((atS) => {
    const value = known.get(Math.round(atS));
    return value === undefined || !Number.isFinite(value) ? null : value;
  });
  return { name, values, last: values.findLast((value) => value !== null) ?? null };
}
