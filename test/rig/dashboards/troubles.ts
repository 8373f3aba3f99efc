import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers";
import { setTimeout } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { chooseNotifications } from "#lib/person/mail/my-account";
import { everyKind } from "#lib/person/model/notification";
import type { Store } from "#lib/db/db";
import { storeForPerson } from "#lib/db/for-practices";
import { silentProxy } from "#test/support/database/silent-proxy";
import { done } from "#test/support/people/admin";
import { migrate } from "../../../scripts/database/migrate.ts";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { say } from "../../../scripts/processes/report.mjs";
import { openRigDatabase } from "../database.ts";
import { readTask, startLoad } from "../load.ts";
import { failuresOf } from "../report.ts";
import { type Desk, makeDesks } from "../scene.ts";
import { makeSecrets, rigStore, serviceOf, startSimulator, untilReady } from "../service.ts";

export type Stop = () => Promise<void>;

type Scene = {
  readonly folder: string;
  readonly browser: Browser;
  readonly running: { readonly stop: Stop }[];
  /** Ground the ports of the metrics, before anything happens. */
  readonly onReady: (metrics: {
    readonly servers: readonly number[];
    readonly workers: readonly number[];
  }) => Promise<void>;
};

const minuteMs = 60_000;

/** How the payer decides, by the end of a member's id. */
const endings = ["", "", "-DENY", "-PEND", "-DOCS", "-PEND-A1"];

/**
 * Seven minutes of a server and two workers under load. One payer answers, one becomes slow, one is gone for three
 * minutes, and one loses its answers. A worker is gone for three minutes, the mail server and the receiver of the
 * webhooks for four, and callers and people make mistakes.
 */
export async function liveThrough(scene: Scene): Promise<void> {
  const { folder, running } = scene;
  const { cluster, url: databaseUrl } = await openRigDatabase(folder);
  running.push(cluster);
  const appUrl = databaseUrl("rig_app");
  await migrate({ ownerUrl: databaseUrl("rig_owner"), appUrl });
  const secrets = makeSecrets();
  const store = rigStore(appUrl, secrets);
  running.push({ stop: () => store.close() });
  const payers = await thePayers(folder, running);
  const ports = { hook: await choosePort(), mail: await choosePort(), web: await choosePort() };
  const webhook = `http://127.0.0.1:${ports.hook}/hook`;
  const desks = await makeDesks(store, { payerUrl: payers.urls, count: payers.urls.length, webhook });
  for (const { reviewer } of desks) {
    const ctx = { actor: reviewer, store: storeForPerson(store, reviewer) };
    await done(chooseNotifications(ctx, everyKind("at-once")));
  }
  const service = await startService(scene, { secrets, appUrl, ports });
  const callers = startCallers(scene, { urls: [service.url], desks, store });
  await keepTimetable({ payers, service, comeBack: () => receive(ports, running) });
  say("load", await callers.stop());
}

type Ports = { readonly hook: number; readonly mail: number; readonly web: number };
type Ground = { readonly secrets: ReturnType<typeof makeSecrets>; readonly appUrl: string; readonly ports: Ports };

async function startService({ folder, running, onReady }: Scene, { secrets, appUrl, ports }: Ground) {
  const metrics = { servers: [await choosePort()], workers: [await choosePort(), await choosePort()] };
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    MAIL_FROM: "Rig <rig@example.org>",
    // So that a slow payer's places are soon taken.
    WORKER_CONCURRENCY: "16",
  };
  const at = (port = 0) =>
    serviceOf({ folder, secrets, appUrl, settings: { ...settings, METRICS_PORT: String(port) } });
  const startWorker = (index: number) => {
    const started = at(metrics.workers[index]).worker(`worker-${index + 1}`);
    running.push(started);
    return started;
  };
  running.push(at(metrics.servers[0]).web("web", ports.web));
  startWorker(0);
  const second = startWorker(1);
  const url = `http://127.0.0.1:${ports.web}`;
  await untilReady(url);
  await onReady(metrics);
  return { url, killWorker: () => void second.kill(), startWorker: () => void startWorker(1) };
}

type Calling = { readonly urls: readonly [string]; readonly desks: readonly Desk[]; readonly store: Store };

function startCallers({ browser }: Scene, { urls, desks, store }: Calling) {
  const ending = (n: number) => endings[n % endings.length] ?? "";
  const load = startLoad({ urls, desks, store, perSecond: 5, ending });
  const unreleased = startLoad({ urls, desks, store, perSecond: 0.3, releases: false });
  const others = new AbortController();
  const [url] = urls;
  const alongside = Promise.all([
    pollAlways(url, load.sent, others.signal),
    mistakes(url, desks, others.signal),
    wrongPasswords(browser, url.replace("127.0.0.1", "localhost"), others.signal),
  ]);
  return {
    stop: async () => {
      others.abort();
      await alongside;
      await Promise.all([load.stop(1_000), unreleased.stop(1_000)]);
      return `${load.sent.length + unreleased.sent.length} requests; failed and repeated: ${failuresOf(load)}`;
    },
  };
}

type Timetable = {
  readonly payers: Awaited<ReturnType<typeof thePayers>>;
  readonly service: Awaited<ReturnType<typeof startService>>;
  readonly comeBack: () => Promise<void>;
};

async function keepTimetable({ payers, service, comeBack }: Timetable): Promise<void> {
  const began = performance.now();
  const at = async (minute: number, what: string, act: () => unknown) => {
    await setTimeout(Math.max(0, began + minute * minuteMs - performance.now()));
    say("minute", `${minute}: ${what}`);
    await act();
  };
  await at(1, "a payer is gone, another slow", async () => {
    await payers.gone.refuse();
    payers.slow.delay(8_000);
  });
  await at(1.5, "a payer loses its answers, and a worker is killed", async () => {
    await payers.loseAnswers();
    service.killWorker();
  });
  await at(4, "the payer is back", () => payers.gone.accept());
  await at(4.5, "all the rest is back", async () => {
    payers.slow.delay(0);
    await payers.answer();
    service.startWorker();
    await comeBack();
  });
  await at(7, "over", () => undefined);
}

/** Four hosts; two are doors to the first. */
async function thePayers(folder: string, running: Scene["running"]) {
  const [here, elsewhere] = [join(folder, "payer"), join(folder, "doubtful")];
  for (const each of [here, elsewhere]) mkdirSync(each);
  const [steady, doubtful] = [await startSimulator(here), await startSimulator(elsewhere)];
  running.push(steady.process, doubtful.process);
  const gone = await silentProxy(steady.url);
  const slow = await slowDoor(steady.url);
  running.push({ stop: () => gone.close() }, { stop: slow.close });
  const plan = (fault: object) => post(`${doubtful.url}/control/faults`, fault);
  return {
    urls: [steady.url, slow.url, gone.url.replace(/\/$/, ""), doubtful.url],
    ...{ slow, gone },
    loseAnswers: async () => {
      await plan({ fault: "drop", on: "submit", times: 6 });
      await plan({ fault: "unavailable", on: "inquire", times: 10_000, retryAfterS: 5 });
    },
    answer: () => fetch(`${doubtful.url}/control/faults`, { method: "DELETE" }),
  };
}

/** Another address of a payer, at which what is asked may come later. */
async function slowDoor(to: string) {
  const { hostname: host, port } = new URL(to);
  let delayMs = 0;
  const door = createTcpServer((near) => {
    const far = connect({ host, port: Number(port) });
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.on("data", (bytes) => void after(() => far.write(bytes), delayMs));
    near.on("close", () => void after(() => far.destroy(), delayMs));
    far.pipe(near);
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  return {
    // Safe because it listens on a port.
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    delay: (ms: number) => void (delayMs = ms),
    close: () => Promise.resolve(void door.close()),
  };
}

function post(url: string, body: object | string, key?: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

async function pollAlways(url: string, sent: ReturnType<typeof startLoad>["sent"], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const known = sent.filter(({ taskId }) => taskId !== undefined);
    const some = known.slice(-20);
    await Promise.all(some.map((one) => readTask(url, one).catch(() => false)));
    await setTimeout(1_000);
  }
}

/** Calls that their callers have to mend. */
async function mistakes(url: string, desks: readonly Desk[], signal: AbortSignal): Promise<void> {
  const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: "rig", method, params });
  const key = desks[0]?.key;
  const wrong: readonly (readonly [object | string, string | undefined])[] = [
    [call("tasks/get", { id: randomUUID() }), key],
    [call("message/send", { message: { role: "user", messageId: randomUUID(), parts: [] } }), key],
    [call("tasks/list", {}), key],
    [call("tasks/get", { id: randomUUID() }), "pa_of-nobody"],
    ["{", key],
  ];
  for (let n = 0; !signal.aborted; n += 1) {
    const [body, as] = wrong[n % wrong.length] ?? ["{", key];
    await post(`${url}/api/a2a`, body, as).catch(() => undefined);
    await setTimeout(n % 60 < 40 ? 700 : 3_000);
  }
}

async function wrongPasswords(browser: Browser, url: string, signal: AbortSignal): Promise<void> {
  const page = await browser.newPage();
  for (let n = 0; !signal.aborted && n < 30; n += 1) {
    await page.goto(`${url}/sign-in`);
    await page.getByLabel("Email").fill(`somebody-${n % 3}@practice-1.example`);
    await page.getByLabel("Password").fill("not the password of anybody");
    await page.getByRole("button", { name: "Sign in" }).click();
    await setTimeout(8_000);
  }
  await page.close();
}

/** The mail server and the receiver of the webhooks, which take everything. */
async function receive(ports: Ports, running: Scene["running"]) {
  const hooks = createServer((incoming, outgoing) => void incoming.resume().on("end", () => outgoing.end()));
  hooks.listen(ports.hook, "127.0.0.1");
  await once(hooks, "listening");
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _, answer) => void stream.resume().on("end", () => answer(null)),
  });
  await new Promise<void>((resolve) => mail.listen(ports.mail, "127.0.0.1", resolve));
  running.push({
    stop: async () => {
      hooks.closeAllConnections();
      hooks.close();
      await new Promise<void>((resolve) => mail.close(() => resolve()));
    },
  });
}
