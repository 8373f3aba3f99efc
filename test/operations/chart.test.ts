import { globSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Service } from "kubernetes-models/v1/Service";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { bodyWithFilesBytesMax } from "#lib/a2a/admit/limits";
import { inHandMs } from "#lib/platform/process/on-shutdown";
import { renderChart } from "../support/docs/render-chart.ts";

const chart = "deploy/helm/prior-authorization";
const read = (path: string) => readFileSync(path, "utf8");
// Safe because what is used of them is checked.
const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>;
const files = globSync(`${chart}/templates/*`).toSorted();

type Resource = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind has a form of its own, which the tests read
  readonly spec: any;
};

function rendered(others: Record<string, unknown> = {}): readonly Resource[] {
  const context = {
    Values: { ...values, ...others },
    Release: { Name: "pa" },
    Chart: parse(read(`${chart}/Chart.yaml`)) as { appVersion: string },
  };
  return renderChart(files.map(read), { ...context, Chart: { AppVersion: context.Chart.appVersion } }).flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      expect(document.errors, text).toEqual([]);
      const resource = document.toJS() as Resource | null;
      return resource ? [resource] : [];
    }),
  );
}

const of = (resources: readonly Resource[], kind: string, name: string) => {
  const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

test("the chart renders to these resources, each once", () => {
  expect(
    rendered()
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .toSorted(),
  ).toEqual([
    "Deployment pa-web",
    "Ingress pa",
    "Job pa-migrate",
    "NetworkPolicy pa",
    "NetworkPolicy pa-web",
    "PodDisruptionBudget pa-web",
    "PodDisruptionBudget pa-worker",
    "Service pa-web",
    "Service pa-worker",
    "StatefulSet pa-worker",
  ]);
  expect(rendered({ ingress: { enabled: false } }).map(({ kind }) => kind)).not.toContain("Ingress");
});

test("every pod runs without rights on a tree that nobody writes to, and every selector finds it", () => {
  const resources = rendered();
  const pods = resources.filter(({ spec }) => spec.template !== undefined);
  expect(pods).toHaveLength(3);
  for (const { metadata, spec } of pods) {
    const pod = spec.template.spec;
    expect(pod, metadata.name).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const { securityContext, volumeMounts } of pod.containers) {
      const bare = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
      expect(securityContext, metadata.name).toEqual(bare);
      const volumes = [...pod.volumes, ...(spec.volumeClaimTemplates ?? []).map((each: Resource) => each.metadata)];
      const names = volumes.map(({ name }: { name: string }) => name);
      for (const { name } of volumeMounts) expect(names, metadata.name).toContain(name);
    }
  }
  const labels = (component: string) =>
    pods
      .map(({ spec }) => spec.template.metadata.labels)
      .find((each) => each["app.kubernetes.io/component"] === component);
  for (const { kind, metadata, spec } of resources) {
    const selected = spec.selector?.matchLabels ?? spec.podSelector?.matchLabels ?? spec.selector;
    if (selected === undefined) continue;
    expect(labels(metadata.name.replace("pa-", "")) ?? labels("web"), `${kind} ${metadata.name}`).toMatchObject(
      selected,
    );
  }
});

test("ports and probes name ports that a container has, and values reach their places", () => {
  const resources = rendered();
  const web = of(resources, "Deployment", "pa-web").spec;
  const [container] = web.template.spec.containers;
  const ports = container.ports.map(({ name }: { name: string }) => name);
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"])
    expect(ports).toContain(container[probe].httpGet.port);
  expect(of(resources, "Service", "pa-web").spec.ports[0].targetPort).toBe("http");
  expect(of(resources, "StatefulSet", "pa-worker").spec.serviceName).toBe("pa-worker");
  expect(web.replicas).toBe(2);
  expect(container.image).toMatch(/^prior-authorization:\S+$/);
  expect(container.args).toEqual(["--max-old-space-size=384", "server.ts"]);
  expect(container.env).toContainEqual({ name: "REPLICATION", value: "required" });
  for (const { spec } of resources)
    for (const each of spec.template?.spec.containers ?? []) expect(each.imagePullPolicy).toBe("IfNotPresent");
});

test("a pod is given the time that its process takes to end: the drain of a server, and what a worker submits", () => {
  for (const drainDelayS of [0, 5, 60]) {
    // Safe because the values are checked by their schema.
    const web = { ...(values["web"] as object), drainDelayS };
    const { spec } = of(rendered({ web }), "Deployment", "pa-web").spec.template;
    expect(spec.containers[0].env).toContainEqual({ name: "DRAIN_DELAY_S", value: String(drainDelayS) });
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drainDelayS + 30);
  }
  const worker = of(rendered(), "StatefulSet", "pa-worker").spec.template.spec;
  expect(worker.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(inHandMs(60_000) + 10_000);
});

test("a worker writes its ledger and its signed heads to a volume that outlives it", () => {
  const { template, volumeClaimTemplates } = of(rendered(), "StatefulSet", "pa-worker").spec;
  const [{ env, volumeMounts }] = template.spec.containers;
  const kept = volumeClaimTemplates.map(({ metadata }: Resource) => metadata.name);
  const mounts = volumeMounts.filter(({ name }: { name: string }) => kept.includes(name));
  for (const name of ["SUBMISSION_LEDGER_DIR", "AUDIT_HEADS_DIR"]) {
    const { value } = env.find((each: { name: string }) => each.name === name);
    const isKept = mounts.some(({ mountPath }: { mountPath: string }) => value.startsWith(`${mountPath}/`));
    expect(isKept, name).toBe(true);
  }
});

test("the ingress lets in what a server takes, and waits for answers that are held back", () => {
  const { annotations = {} } = of(rendered(), "Ingress", "pa").metadata;
  const megabytes = Number.parseInt(annotations["nginx.ingress.kubernetes.io/proxy-body-size"] ?? "0", 10);
  expect(megabytes * 1024 * 1024).toBeGreaterThan(bodyWithFilesBytesMax);
  expect(Number(annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"])).toBeGreaterThan(60);
});

/** By the API's own OpenAPI definitions, which kubernetes-models is generated from. */
const kinds = { Deployment, StatefulSet, Job, Ingress, NetworkPolicy, PodDisruptionBudget, Service };

test("Kubernetes takes every resource by its own schema, and refuses one that is wrong", () => {
  for (const resource of rendered()) {
    // Safe because a kind without a schema fails the expectation.
    const Kind = kinds[resource.kind as keyof typeof kinds] as (new (data: object) => { validate(): void }) | undefined;
    expect(Kind, resource.kind).toBeDefined();
    if (Kind) expect(() => new Kind(resource).validate(), `${resource.kind} ${resource.metadata.name}`).not.toThrow();
  }
  const web = of(rendered(), "Deployment", "pa-web");
  expect(() => new Deployment({ ...web, spec: { ...web.spec, replicas: "two" } }).validate()).toThrow(/replicas/);
});

test("Helm takes the values as they are and refuses a misspelled, a missing and an unsafe one", () => {
  const taken = new Ajv().compile(JSON.parse(read(`${chart}/values.schema.json`)));
  expect(taken(values), JSON.stringify(taken.errors)).toBe(true);
  const { publicUrl: _, ...without } = values;
  for (const wrong of [
    { ...values, replicaton: "off" },
    without,
    { ...values, publicUrl: "http://prior-auth.example.org" },
    { ...values, replication: "sometimes" },
    { ...values, network: { databasePorts: [{ port: 5432 }], ports: [443] } },
  ])
    expect(taken(wrong), JSON.stringify(wrong)).toBe(false);
});

test("pods reach the database and the ports that the values name, and nothing else", () => {
  const network = { databasePorts: [{ port: 6432 }, { port: 5432 }], ports: [{ port: 8443 }] };
  const { egress } = of(rendered({ network }), "NetworkPolicy", "pa").spec;
  expect(egress.flatMap(({ ports }: { ports: readonly { port: number }[] }) => ports.map(({ port }) => port))).toEqual([
    53, 53, 6432, 5432, 8443,
  ]);
});
