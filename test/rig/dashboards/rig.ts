import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { ensureBrowser } from "../../../scripts/setup/browser.mjs";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { root } from "../../../scripts/setup/files.mjs";
import { say, trouble } from "../../../scripts/processes/report.mjs";
import { ensureBuilt } from "../../../scripts/setup/build.mjs";
import { Programs } from "../programs.ts";
import { machine } from "../report.ts";
import { until } from "../service.ts";
import { drawDashboard } from "./draw.ts";
import { askPanel, type DrawnPanel, type Range, readDashboard } from "./panels.ts";
import { liveThrough, type Stop } from "./troubles.ts";

const stepS = 5;

/**
 * Draws each dashboard of `deploy/grafana` into `docs/images`, from what a real Prometheus, with the files of
 * `deploy/prometheus`, measured of a service that had troubles of every kind for a few minutes. Fails if a panel shows
 * nothing. Leaves nothing else behind.
 */
export async function rigDashboards(args: readonly string[]): Promise<void> {
  const programs = new Programs(args.find((arg) => arg.startsWith("--root="))?.slice("--root=".length));
  const folder = mkdtempSync(join(tmpdir(), "rig-dashboards-"));
  const running: { readonly stop: Stop }[] = [];
  try {
    programs.demand({ prometheus: "prometheus" });
    await ensureBuilt();
    const browser = await openBrowser();
    running.push({ stop: () => browser.close() });
    const fromS = roundS(Date.now());
    let prometheusUrl = "";
    const onReady = async (metrics: { readonly servers: readonly number[]; readonly workers: readonly number[] }) => {
      prometheusUrl = await startPrometheus(programs, metrics, running);
    };
    await liveThrough({ folder, browser, running, onReady });
    const range = { fromS, toS: roundS(Date.now()), stepS };
    process.stdout.write(`\n${machine()}\n`);
    const empty = await drawAll(browser, { prometheusUrl, range });
    if (empty.length > 0) throw trouble(`No data in: ${empty.join("; ")}`);
  } finally {
    for (const each of running.toReversed()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(programs.folder, { recursive: true, force: true });
  }
}

const roundS = (ms: number) => Math.floor(ms / 1_000 / stepS) * stepS;

async function openBrowser(): Promise<Browser> {
  const executablePath = await ensureBrowser({ installing: (what: string) => say("install", what) });
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

const config = z.looseObject({
  rule_files: z.array(z.string()),
  scrape_configs: z.array(
    z.looseObject({
      static_configs: z.array(z.object({ targets: z.array(z.string()), labels: z.object({ process: z.string() }) })),
    }),
  ),
});

/** With deploy/prometheus/prometheus.yml and its rules, and the addresses of the rig. */
async function startPrometheus(
  programs: Programs,
  { servers, workers }: { readonly servers: readonly number[]; readonly workers: readonly number[] },
  running: { readonly stop: Stop }[],
): Promise<string> {
  const folder = programs.makeFolder("prometheus");
  const given = config.parse(parse(readFileSync("deploy/prometheus/prometheus.yml", "utf8")));
  for (const each of given.scrape_configs.flatMap(({ static_configs: all }) => all))
    each.targets = (each.labels.process === "server" ? servers : workers).map((port) => `127.0.0.1:${port}`);
  const files = { "prometheus.yml": stringify(given) };
  for (const name of given.rule_files)
    Object.assign(files, { [name]: readFileSync(join("deploy/prometheus", name), "utf8") });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    programs.give(join(folder, name));
  }
  const port = await choosePort();
  const inside = programs.inside(folder);
  const args = [
    `--config.file=${inside}/prometheus.yml`,
    `--storage.tsdb.path=${inside}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  running.push(programs.start("prometheus", args, "prometheus"));
  const url = `http://127.0.0.1:${port}`;
  await until("Prometheus", () => fetch(`${url}/-/ready`).then(({ ok }) => ok));
  return url;
}

/** Returns the panels without data. */
async function drawAll(browser: Browser, { prometheusUrl, range }: { prometheusUrl: string; range: Range }) {
  const to = join(root, "docs", "images", "dashboards");
  mkdirSync(to, { recursive: true });
  const empty: string[] = [];
  for (const path of globSync("deploy/grafana/dashboards/*.json", { cwd: root }).toSorted()) {
    const { title, panels } = readDashboard(join(root, path));
    const drawn: DrawnPanel[] = [];
    for (const panel of panels) drawn.push(await askPanel(prometheusUrl, panel, range));
    empty.push(...drawn.filter(({ lines }) => lines.length === 0).map((each) => `${basename(path)}: ${each.title}`));
    const flat = drawn.filter(({ lines }) => lines.every(({ points }) => points.every(([, value]) => value === 0)));
    say("drawn", `${basename(path, ".json")}; nothing but 0: ${flat.map((each) => each.title).join(" ") || "none"}`);
    await drawDashboard(browser, { title, panels: drawn, range }, join(to, `${basename(path, ".json")}.png`));
  }
  return empty;
}
