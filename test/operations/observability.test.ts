import { globSync, readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { methodNames } from "#lib/a2a/methods";
import { instruments, showNoFailures } from "#lib/platform/metrics/instruments";

const ruleFiles = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

const dashboards = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

const alerts = globSync("deploy/prometheus/rules*.yml").flatMap((path) =>
  ruleFiles.parse(parse(readFileSync(path, "utf8"))).groups.flatMap(({ rules }) => rules),
);
const panels = globSync("deploy/grafana/dashboards/*.json").flatMap(
  (path) => dashboards.parse(JSON.parse(readFileSync(path, "utf8"))).panels,
);
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ of: alert, expr })),
  // Grafana's own, for which it puts a time.
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ of: title, expr: expr.replaceAll("$__rate_interval", "1m") })),
  ),
];

/** The names of the time series that this process shows, with the labels of each. */
const shown = new Map<string, ReadonlySet<string>>();

beforeAll(async () => {
  for (const { name, type, labelNames = [] } of await metricsOf()) {
    const labels = new Set([...labelNames, "instance", "job", "process"]);
    if (type !== "histogram") shown.set(name, labels);
    else {
      shown.set(`${name}_bucket`, new Set([...labels, "le"]));
      shown.set(`${name}_sum`, labels);
      shown.set(`${name}_count`, labels);
    }
  }
  // Prometheus's own, for each target and for each alert that fires or is about to.
  shown.set("up", new Set(["instance", "job", "process"]));
  shown.set("ALERTS", new Set(["alertname", "alertstate", "severity"]));
});

async function metricsOf() {
  const { registry } = instruments();
  const described = await registry.getMetricsAsJSON();
  return described.map(({ name, type }) => {
    // Safe because every metric of the registry was made with the names of its labels.
    const { labelNames } = registry.getSingleMetric(name) as unknown as { readonly labelNames?: readonly string[] };
    return { name, type: String(type), labelNames };
  });
}

/** The selected series and their labels, and the labels that are grouped by, by Prometheus's own grammar. */
function read(expr: string) {
  const selected: { name: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  let isWrong = false;
  const textOf = (node: { readonly from: number; readonly to: number } | null) =>
    node === null ? "" : expr.slice(node.from, node.to);
  parser.parse(expr).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) isWrong = true;
      if (type.name === "VectorSelector") {
        const name = node.getChild("Identifier");
        const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
        const labels = matchers.map((matcher) => matcher.getChild("LabelName")).map(textOf);
        selected.push({ name: textOf(name), labels });
      }
      if (type.name === "LabelName" && node.parent?.type.name === "GroupingLabels") grouped.push(expr.slice(from, to));
    },
  });
  return { selected, grouped, isWrong };
}

test("every alert and every panel is PromQL, and names only series and labels that the service shows", () => {
  expect(alerts.length).toBeGreaterThan(15);
  expect(panels.length).toBeGreaterThan(25);
  for (const { of, expr } of expressions) {
    const { selected, grouped, isWrong } = read(expr);
    expect(isWrong, `${of}: ${expr}`).toBe(false);
    expect(selected.length, of).toBeGreaterThan(0);
    for (const { name, labels } of selected) {
      expect([...shown.keys()], of).toContain(name);
      for (const label of labels) expect([...(shown.get(name) ?? [])], `${of}: ${name}`).toContain(label);
    }
    const known = selected.flatMap(({ name }) => [...(shown.get(name) ?? [])]);
    for (const label of grouped) expect(known, of).toContain(label);
  }
});

test("a series that does not exist, and what is not PromQL, would be found", () => {
  expect(read("rate(pa_nothing_total[5m])").selected).toEqual([{ name: "pa_nothing_total", labels: [] }]);
  expect(shown.has("pa_nothing_total")).toBe(false);
  expect(read("sum by (le (rate(").isWrong).toBe(true);
});

/** The values of labels of which an alert wants no increase. */
const increases = alerts.flatMap(({ alert, expr }) =>
  [...expr.matchAll(/increase\((\w+)\{(\w+)=~?"([^"]+)"\}/g)].flatMap(([, name = "", label = "", values = ""]) =>
    values.split("|").map((value) => ({ alert, name, label, value })),
  ),
);

test("what an alert counts is shown as 0 from the start, because Prometheus sees no increase in a series that begins at 1", async () => {
  showNoFailures(methodNames);
  const shownOf = async (name: string) => (await instruments().registry.getSingleMetric(name)?.get())?.values ?? [];
  expect(increases.map(({ value }) => value).toSorted()).toEqual(["away", "changed", "internal", "missing"]);
  for (const { alert, name, label, value } of increases) {
    const series = (await shownOf(name)).filter(({ labels }) => labels[label] === value);
    expect(series.length, alert).toBeGreaterThan(0);
    for (const each of series) expect(each.value, alert).toBe(0);
  }
  const internal = (await shownOf("pa_calls_total")).filter(({ labels }) => labels["fault"] === "internal");
  expect(internal.map(({ labels }) => labels["method"])).toEqual([...methodNames, "none"]);
});

test("the commented example of an Alertmanager is what Prometheus reads once the comment is taken away", () => {
  const files = globSync("deploy/prometheus/prometheus*.yml");
  expect(files).toHaveLength(2);
  for (const path of files) {
    const text = readFileSync(path, "utf8").replace(/^# (alerting:\n(?:# {2,}.*\n)+)/m, (_, block: string) =>
      block.replaceAll(/^# /gm, ""),
    );
    const target = { targets: [expect.stringMatching(/:9093$/)] };
    expect(parse(text), path).toMatchObject({
      alerting: { alertmanagers: [{ static_configs: [target] }] },
      scrape_configs: [{ job_name: "prior-authorization" }],
    });
  }
});

test("everything the service shows of itself is on a dashboard or in an alert", () => {
  const named = new Set(expressions.flatMap(({ expr }) => read(expr).selected.map(({ name }) => name)));
  const ours = [...shown.keys()].filter((name) => name.startsWith("pa_") && !/_(sum|count)$/.test(name));
  const isNamed = (name: string) => named.has(name) || named.has(name.replace(/_bucket$/, "_sum"));
  expect(ours.filter((name) => !isNamed(name))).toEqual([]);
});

test("each alert has its page in the runbook, which says what it means, where to look and what to do; and each page its alert", () => {
  const [, ...pages] = readFileSync("docs/operations/runbook.md", "utf8").split(/^## /m);
  const titles = pages.map((page) => page.split("\n", 1)[0] ?? "");
  expect(titles.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  for (const page of pages) expect(page).toMatch(/\*\*Means\.\*\* .+[^]*\*\*Look\.\*\* .+[^]*\*\*Do\.\*\* .+/);
  for (const { alert, annotations } of alerts)
    expect(annotations.runbook_url).toBe(`docs/operations/runbook.md#${alert.toLowerCase()}`);
});
