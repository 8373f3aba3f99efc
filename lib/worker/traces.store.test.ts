import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveA2a } from "#lib/a2a/serve";
import { openTracing } from "#lib/platform/tracing/open-tracing";
import { setTracing } from "#lib/platform/tracing/tracing";
import { stateOf } from "#lib/task/model/task";
import { aChannel, aPerson, aPractice, aRoute, fullReview } from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { edgeDeps } from "#test/support/agents/edge";
import { aWorkerProcess, release, storeOn, taskNow } from "#test/support/database/restorable";
import { aSimulator } from "#test/support/payer/simulator";

type Span = {
  readonly name: string;
  readonly component: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
};

/** A receiver of traces as a process of its own. */
async function aReceiver() {
  const child = spawn(process.execPath, ["test/support/servers/trace-receiver.mjs"], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill());
  if (!child.stdout) throw new Error("Its output is a pipe.");
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  const url = `http://127.0.0.1:${port.toString().trim()}`;
  // Safe because the receiver answers what was sent to it.
  return { url, spans: async () => (await (await fetch(`${url}/spans`)).json()) as readonly Span[] };
}

async function aGround() {
  const [database, simulator] = await Promise.all([freshDatabase(), aSimulator()]);
  const store = storeOn(database.appUrl);
  onTestFinished(() => store.close());
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url: `${simulator.url}/fhir`, credential: "right" });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const ledger = join(mkdtempSync(join(tmpdir(), "ledger-")), "ledger");
  return { database, simulator, store, practiceId, channel, reviewer, ledger };
}

function intake(
  { practiceId, channel }: Awaited<ReturnType<typeof aGround>>,
  headers: Record<string, string>,
): Request {
  const data = { skill: "prior_auth_intake", practiceId, serviceReview: fullReview };
  const params = { message: { role: "user", messageId: "m-1", parts: [{ kind: "data", data }] } };
  return new Request("http://127.0.0.1/api/a2a", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${channel.key}`, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params }),
  });
}

test("one trace leads from the agent's call over its release to the payer's answer, across processes, and holds ids alone", async () => {
  const receiver = await aReceiver();
  const ground = await aGround();
  // Before the release: a new ledger holds again what was released before it.
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const worker = await aWorkerProcess(ground.database.appUrl, { ledger: ground.ledger, settings });
  const opened = openTracing({ endpoint: receiver.url, process: "server" });
  setTracing(opened);
  onTestFinished(() => setTracing(undefined));
  const [traceId, agentSpan] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
  const deps = edgeDeps(ground.store);
  const reply = await serveA2a(intake(ground, { traceparent: `00-${traceId}-${agentSpan}-01` }), deps);
  const { result } = (await reply.json()) as { readonly result: { readonly id: string } };
  await expect.poll(() => ground.store.prisma.gateTrace.count()).toBe(1);
  await release(ground, result.id);
  await opened.close();
  const isDecided = async () => stateOf(await taskNow(ground.store, result.id));
  await expect.poll(isDecided, { timeout: 20_000 }).toMatch(/approved|determined|decided/);
  await worker.stop();

  const spans = await receiver.spans();
  const named = (name: string) => spans.find((span) => span.name === name);
  const [call, released, submission, exchange] = ["a2a message/send", "release", "submission", "payer exchange"].map(
    named,
  );
  expect(
    spans.filter((span) => [call, released, submission, exchange].includes(span)).map((span) => span.traceId),
  ).toEqual(Array.from({ length: 4 }, () => traceId));
  expect(call).toMatchObject({ parentSpanId: agentSpan, component: "server" });
  expect(released).toMatchObject({ parentSpanId: call?.spanId, component: "server" });
  expect(submission).toMatchObject({ parentSpanId: call?.spanId, component: "worker" });
  expect(exchange).toMatchObject({ parentSpanId: submission?.spanId, component: "worker" });
  expect(call?.attributes).toContainEqual({ key: "pa.task", value: { stringValue: result.id } });
  const { subscriber, patient } = fullReview;
  for (const secret of [subscriber.memberId, subscriber.lastName, patient.birthDate, ground.channel.key, "Dana"])
    expect(JSON.stringify(spans)).not.toContain(secret);
});

test("without an endpoint no trace is kept, and nothing of the SDK is loaded", async () => {
  const ground = await aGround();
  const header = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  expect((await serveA2a(intake(ground, header), edgeDeps(ground.store))).status).toBe(200);
  expect(await ground.store.prisma.gateTrace.count()).toBe(0);
  const sources = globSync(["*.ts", "{lib,app,components}/**/*.{ts,tsx}"]).filter((path) => !path.includes(".test."));
  const importing = (what: RegExp) => sources.filter((path) => what.test(readFileSync(path, "utf8")));
  expect(importing(/from "@opentelemetry\//)).toEqual(["lib/platform/tracing/open-tracing.ts"]);
  expect(importing(/from "[^"]*open-tracing[^"]*"/)).toEqual([]);
  expect(importing(/import\("[^"]*open-tracing[^"]*"\)/)).toEqual(["lib/platform/tracing/start-tracing.ts"]);
});
