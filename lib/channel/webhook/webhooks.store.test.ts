import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { releaseGate } from "#lib/gate/release-gate";
import { unscoped } from "#lib/db/db";
import { done, operator, proved } from "#test/support/people/admin";
import { aChannel, aPerson, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { listening } from "#test/support/payer/pas/listen";
import { resendDelivery, showChannelWebhooks } from "./channel-deliveries.ts";
import { webhookRounds } from "./deliver-webhooks.ts";
import { rotateWebhookSecret, setChannelWebhooks } from "./set-channel-webhooks.ts";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const admin = { actor: operator, store };
const rounds = webhookRounds({ store: unscoped(store), log: pino({ level: "silent" }) });

async function deliver(): Promise<void> {
  await rounds.round(new AbortController().signal);
  await rounds.settled();
}

type ReceivedDelivery = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A receiver that answers with these statuses in turn, and with 200 when there are no more. */
async function aReceiver(...statuses: readonly number[]) {
  const received: ReceivedDelivery[] = [];
  const answers = [...statuses];
  const receive = async (incoming: IncomingMessage): Promise<number> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    // Safe because a receiver sees each of these headers once.
    received.push({ headers: incoming.headers as ReceivedDelivery["headers"], body: Buffer.concat(chunks).toString() });
    return answers.shift() ?? 200;
  };
  const url = await listening(
    createServer((incoming, outgoing) => void receive(incoming).then((status) => outgoing.writeHead(status).end("x"))),
  );
  return { received, host: new URL(url).host, url: `${url}/hooks/prior-auth?tenant=7` };
}

type Hook = { readonly url: string; readonly token?: string };

/** A channel that may name the host of a receiver, and its calls. */
async function aCaller(host: string) {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const channelId = channel.actor.id;
  const { secret = "" } = await done(setChannelWebhooks(admin, { channelId, hosts: [host] }));
  const call = (pushNotificationConfig: unknown, message: object = {}) =>
    callEdge(
      deps,
      rpc("message/send", intakeParams({ practiceId, message, params: { configuration: { pushNotificationConfig } } })),
      channel,
    );
  const send = async (hook: Hook, message: object = {}) => (await call(hook, message)).json.result;
  const release = (task: { id: string; revision: { number: number }; gate: { id: string; digest: string } }) =>
    releaseGate(reviewer, {
      taskId: task.id,
      seen: { gateId: task.gate.id, revision: task.revision.number, digest: task.gate.digest },
    });
  const log = async () => (await done(showChannelWebhooks(admin, { channelId }))).deliveries;
  return { practiceId, channelId, secret, call, send, release, log };
}

/** What is due later is due now. */
const hurry = () => store.pool.query("UPDATE webhook_delivery SET due_at = clock_timestamp() WHERE status = 'waiting'");

describe("a task that names a webhook", () => {
  test("has each change delivered, signed as the library of Standard Webhooks verifies it, with its id and state alone", async () => {
    const { received, host, url } = await aReceiver();
    const of = await aCaller(host);
    const task = await of.send({ url, token: "from-the-agent" });
    await deliver();
    expect(received).toEqual([]);
    await of.release(task);
    await deliver();
    const [{ headers, body }, ...others] = received as [ReceivedDelivery, ...ReceivedDelivery[]];
    expect(others).toEqual([]);
    expect(new Webhook(of.secret).verify(body, headers)).toEqual({
      kind: "task",
      id: task.id,
      contextId: task.contextId,
      state: "transmit-released",
      version: 2,
      status: { state: "working", timestamp: expect.any(String) },
      metadata: { state: "transmit-released", version: 2 },
    });
    expect(headers).toMatchObject({ "content-type": "application/json", "x-a2a-notification-token": "from-the-agent" });
    expect(await of.log()).toMatchObject([
      { taskId: task.id, version: 2, status: "delivered", tries: 1, httpStatus: 200 },
    ]);
  });

  test("is told where its last message said", async () => {
    const [first, second] = [await aReceiver(), await aReceiver()];
    const of = await aCaller(first.host);
    await done(setChannelWebhooks(admin, { channelId: of.channelId, hosts: [first.host, second.host] }));
    const { id } = await of.send({ url: first.url });
    const amended = await of.send({ url: second.url }, { taskId: id });
    await of.release(amended);
    await deliver();
    // The reply to the message that changed it is told as well, to where the task's changes are told now.
    expect([first.received.length, second.received.length]).toEqual([0, 1]);
  });

  test("is told of its last change only, where several came before the first try", async () => {
    const { received, host, url } = await aReceiver();
    const of = await aCaller(host);
    const { id } = await of.send({ url });
    await of.send({ url }, { taskId: id });
    await of.release(await of.send({ url }, { taskId: id }));
    expect((await of.log()).map(({ status }) => status)).toEqual(["waiting", "superseded", "superseded"]);
    await deliver();
    expect(received.map(({ body }) => JSON.parse(body).version)).toEqual([4]);
    expect((await of.log()).map(({ status }) => status)).toEqual(["delivered", "superseded", "superseded"]);
  });
});

test.each([
  ["says more than is read of an answer", {}, 2_000_000],
  ["says it in an encoding that is not understood", { "content-encoding": "zstd" }, 2],
])("a change is delivered once to a receiver that takes it and %s", async (_, headers, bytes) => {
  let received = 0;
  const server = createServer((incoming, outgoing) => {
    received += 1;
    incoming.resume().on("end", () => outgoing.writeHead(200, headers).end("x".repeat(bytes)));
  });
  const url = await listening(server);
  const of = await aCaller(new URL(url).host);
  await of.release(await of.send({ url }));
  for (let tries = 0; tries < 2; tries += 1) {
    await deliver();
    await hurry();
  }
  expect([received, await of.log()]).toMatchObject([1, [{ status: "delivered", tries: 1 }]]);
});

describe("a delivery that fails", () => {
  test("is tried again later, under the same id and with the same bytes", async () => {
    const { received, host, url } = await aReceiver(500, 302);
    const of = await aCaller(host);
    await of.release(await of.send({ url }));
    for (const tries of [1, 2, 3]) {
      await deliver();
      expect(received).toHaveLength(tries);
      await deliver();
      expect(received).toHaveLength(tries);
      await hurry();
    }
    expect(new Set(received.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
    for (const { headers, body } of received) expect(new Webhook(of.secret).verify(body, headers)).toBeTruthy();
    expect(await of.log()).toMatchObject([{ status: "delivered", tries: 3 }]);
  });

  test("ten times has failed, and is delivered when an administrator asks for that", async () => {
    const { received, host, url } = await aReceiver(...Array.from({ length: 10 }, () => 503));
    const of = await aCaller(host);
    await of.release(await of.send({ url }));
    for (let tries = 0; tries < 12; tries += 1) {
      await hurry();
      await deliver();
    }
    const [failed] = await of.log();
    expect([received.length, failed?.status, failed?.httpStatus]).toEqual([10, "failed", 503]);
    await done(resendDelivery(admin, { channelId: of.channelId, deliveryId: failed?.id ?? "" }));
    await deliver();
    expect((await of.log())[0]).toMatchObject({ status: "delivered", tries: 1 });
  });

  test("because its receiver is gone for good is not tried again", async () => {
    const { host, url } = await aReceiver(410);
    const of = await aCaller(host);
    await of.release(await of.send({ url }));
    await deliver();
    expect(await of.log()).toMatchObject([{ status: "failed", tries: 1, httpStatus: 410 }]);
  });

  test("of a process that ended is made by another, once it must have ended", async () => {
    const { received, host, url } = await aReceiver();
    const of = await aCaller(host);
    await of.release(await of.send({ url }));
    await store.pool.query(
      "UPDATE webhook_delivery SET tries = 1, due_at = clock_timestamp() + interval '1 minute' WHERE channel_id = $1",
      [of.channelId],
    );
    await deliver();
    expect(received).toEqual([]);
    await hurry();
    await deliver();
    expect(received).toHaveLength(1);
  });
});

/** A receiver that takes every request and never answers one until it is let go. */
async function aSilentReceiver() {
  const open: ServerResponse[] = [];
  const url = await listening(createServer((_, outgoing) => void open.push(outgoing)));
  return { open, host: new URL(url).host, url, letGo: () => open.splice(0).forEach((each) => each.destroy()) };
}

test("receivers that never answer leave places for others, however many changes wait for them", async () => {
  const silent = await Promise.all(Array.from({ length: 4 }, aSilentReceiver));
  for (const { host, url } of silent) {
    const of = await aCaller(host);
    await Promise.all(Array.from({ length: 12 }, async () => of.release(await of.send({ url }))));
  }
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    const letting = setInterval(() => silent.forEach(({ letGo }) => letGo()), 50);
    await running;
    await rounds.settled();
    clearInterval(letting);
  });
  const running = (async () => {
    while (!stop.signal.aborted) {
      await rounds.round(stop.signal);
      await setImmediate();
    }
  })();
  const openIn = () => silent.reduce((sum, { open }) => sum + open.length, 0);
  await expect.poll(openIn, { timeout: 5_000 }).toBeGreaterThan(20);
  const { received, host, url } = await aReceiver();
  const honest = await aCaller(host);
  await honest.release(await honest.send({ url }));
  await expect.poll(() => received.length, { timeout: 3_000 }).toBeGreaterThan(0);
  expect(silent.every(({ open }) => open.length <= 8)).toBe(true);
});

test("however many changes of a channel were overtaken, the next round reaches what waits behind them", async () => {
  const [first, second] = [await aReceiver(), await aReceiver()];
  const [flooding, honest] = [await aCaller(first.host), await aCaller(second.host)];
  await flooding.release(await flooding.send({ url: first.url }));
  await store.pool.query(
    `INSERT INTO webhook_delivery (id, task_id, practice_id, channel_id, version, state, changed_at, tries, due_at)
     SELECT gen_random_uuid(), task_id, practice_id, channel_id, -n, state, changed_at, 1, clock_timestamp() - interval '1 hour'
       FROM webhook_delivery, generate_series(1, 300) AS n WHERE channel_id = $1`,
    [flooding.channelId],
  );
  await honest.release(await honest.send({ url: second.url }));
  await deliver();
  expect([first.received.length, second.received.length]).toEqual([1, 1]);
});

describe("nothing is delivered", () => {
  test("to an address inside, whatever name leads there", async () => {
    const of = await aCaller("agents.example.org");
    const task = await of.send({ url: "https://agents.example.org/hook" });
    // As if the name had come to lead to a cloud's inner host.
    await store.prisma.channelWebhook.update({
      where: { channelId: of.channelId },
      data: { hosts: ["169.254.169.254"] },
    });
    const again = await of.send({ url: "https://169.254.169.254/latest" }, { taskId: task.id });
    await of.release(again);
    await deliver();
    expect((await of.log())[0]).toMatchObject({ status: "failed", problem: "address-refused", tries: 1 });
  });

  test("to where a receiver's answer leads on", async () => {
    const inner = await aReceiver();
    const outer = await listening(
      createServer((_, outgoing) => outgoing.writeHead(307, { location: inner.url }).end()),
    );
    const of = await aCaller(new URL(outer).host);
    await of.release(await of.send({ url: `${outer}/hook` }));
    await deliver();
    expect((await of.log())[0]).toMatchObject({ httpStatus: 307, tries: 1 });
    expect(inner.received).toEqual([]);
  });

  test("for a channel that lost its practice, its right to read or its webhooks", async () => {
    const { received, host, url } = await aReceiver();
    const losses = [
      (channelId: string) => store.prisma.channelPractice.deleteMany({ where: { channelId } }),
      (id: string) => store.prisma.channel.update({ where: { id }, data: { atoms: ["prior_auth_intake"] } }),
      (id: string) => store.prisma.channel.update({ where: { id }, data: { status: "suspended" } }),
      (channelId: string) => done(setChannelWebhooks(admin, { channelId, hosts: [] })),
    ];
    for (const lose of losses) {
      const of = await aCaller(host);
      await of.release(await of.send({ url }));
      await lose(of.channelId);
      await deliver();
      const log = await store.prisma.webhookDelivery.findMany({ where: { channelId: of.channelId } });
      expect(log).toMatchObject([{ status: "failed", problem: "not-allowed" }]);
    }
    expect(received).toEqual([]);
  });
});

test("nothing is delivered to a host that an administrator took from the channel, also where it has webhooks again", async () => {
  const [old, next] = [await aReceiver(), await aReceiver()];
  const set = (channelId: string, ...hosts: readonly string[]) => done(setChannelWebhooks(admin, { channelId, hosts }));
  for (const steps of [[[next.host]], [[], [next.host]]]) {
    const of = await aCaller(old.host);
    const task = await of.send({ url: old.url });
    for (const hosts of steps) await set(of.channelId, ...hosts);
    await of.release(task);
    await deliver();
    expect(await of.log()).toMatchObject([{ status: "failed", problem: "not-allowed" }]);
  }
  expect(old.received).toEqual([]);
});

test("an administrator reads and resends deliveries of their own practices alone, whatever the channel reached before", async () => {
  const { host, url } = await aReceiver(500);
  const of = await aCaller(host);
  const theirs = await aPractice(store);
  const ctx = await aPerson(store, { practices: [theirs], roles: ["admin"] });
  const local = { ...ctx, actor: proved(ctx.actor) };
  await of.release(await of.send({ url }));
  await deliver();
  const [delivery] = await of.log();
  const { channelId } = of;
  await done(changeChannelAccess(admin, { channelId, practices: [theirs] }));
  expect(await done(showChannelWebhooks(local, { channelId }))).toMatchObject({ hosts: [host], deliveries: [] });
  await store.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [delivery?.id]);
  expect(await resendDelivery(local, { channelId, deliveryId: delivery?.id ?? "" })).toEqual({
    ok: false,
    refusal: { type: "not-found", what: "delivery" },
  });
});

describe("pushNotificationConfig", () => {
  test("is refused as before for a channel without webhooks", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    for (const pushNotificationConfig of [{ url: "https://agents.example.org" }, {}, 7]) {
      const params = { configuration: { pushNotificationConfig } };
      const answer = await callEdge(deps, rpc("message/send", intakeParams({ practiceId, params })), channel);
      expect(answer.json.error.data.issues).toEqual([
        { path: "/configuration/pushNotificationConfig", problem: "is not supported: poll tasks/get instead" },
      ]);
    }
    expect(await store.prisma.task.count({ where: { practiceId } })).toBe(0);
  });

  test("is refused with what is wrong with it, and opens no task", async () => {
    const of = await aCaller("agents.example.org");
    const cases = [
      [{}, "/url is required"],
      [{ url: 7 }, "/url must be a string"],
      [{ url: "agents.example.org" }, "/url must be an address that begins with https://"],
      [{ url: "http://agents.example.org/" }, "/url must be an address that begins with https://"],
      ...["https:agents.example.org/", "https:\\\\agents.example.org/", "https://agents.example.org/\r\nX: y"].map(
        (url) => [{ url }, "/url must be an address that begins with https://"] as const,
      ),
      [{ url: "https://agents.example.org/a\tb" }, "/url must be an address that begins with https://"],
      [{ url: "https://agents.example.org:8443/" }, "/url must be at agents.example.org"],
      [{ url: "https://agents.example.org.evil.example/" }, "/url must be at agents.example.org"],
      [{ url: "https://me:secret@agents.example.org/" }, "/url must have no user name, password or fragment"],
      [{ url: "https://agents.example.org/", token: "a\r\nb" }, "/token must be visible ASCII characters"],
      [
        { url: "https://agents.example.org/", authentication: { schemes: ["Bearer"] } },
        "/authentication is not supported: verify the signature of each delivery",
      ],
      ["https://agents.example.org/", " must be an object"],
    ] as const;
    for (const [config, problem] of cases) {
      const { issues } = (await of.call(config)).json.error.data;
      expect(issues.map((issue: { path: string; problem: string }) => `${issue.path} ${issue.problem}`)).toEqual([
        `/configuration/pushNotificationConfig${problem}`,
      ]);
    }
    expect(await store.prisma.task.count({ where: { practiceId: of.practiceId } })).toBe(0);
  });

  test("of a message that was accepted does not matter when it is sent again", async () => {
    const of = await aCaller("agents.example.org");
    const hook = { url: "https://agents.example.org/" };
    const first = await of.send(hook, { messageId: "one" });
    await done(setChannelWebhooks(admin, { channelId: of.channelId, hosts: [] }));
    expect((await of.send(hook, { messageId: "one" })).id).toBe(first.id);
    expect((await of.call(hook, { messageId: "two" })).json.error.code).toBe(-32602);
  });
});

test("a new secret signs at once, and the one before it for a day", async () => {
  const { received, host, url } = await aReceiver();
  const of = await aCaller(host);
  const { secret } = await done(rotateWebhookSecret(admin, { channelId: of.channelId }));
  await of.release(await of.send({ url }));
  await deliver();
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  for (const either of [of.secret, secret]) expect(new Webhook(either).verify(body, headers)).toBeTruthy();
  const longAgo = new Date(Date.now() - 1_000);
  await store.prisma.channelWebhook.update({ where: { channelId: of.channelId }, data: { earlierUntil: longAgo } });
  await of.release(await of.send({ url }));
  await deliver();
  const [, later = { headers: {}, body: "" }] = received;
  expect(new Webhook(secret).verify(later.body, later.headers)).toBeTruthy();
  expect(() => new Webhook(of.secret).verify(later.body, later.headers)).toThrow("No matching signature found");
});

test("the hosts of a channel are hosts of the public internet, at most ten", async () => {
  const { channelId } = await aCaller("agents.example.org");
  const set = (hosts: readonly string[]) => setChannelWebhooks(admin, { channelId, hosts });
  for (const host of [
    "https://agents.example.org",
    "agents.example.org/hook",
    "",
    "me@agents.example.org",
    "10.0.0.7",
    "0.0.0.0",
    "0",
    "0177.0.0.1",
    "0x7f.1",
    "2130706433",
    "127.1",
    "169.254.169.254",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[fd00:ec2::254]",
    "agents.example.org@10.0.0.7",
    "agents.example.org\\@10.0.0.7",
    "127。0。0。1",
    "*",
    "*.example.org",
  ]) {
    expect(await set([host])).toMatchObject({ ok: false, refusal: { type: "invalid", issues: [{ field: "hosts" }] } });
  }
  expect(await set(Array.from({ length: 11 }, (_, n) => `a${n}.example.org`))).toMatchObject({ ok: false });
  expect(await set(["Agents.Example.org", "b.example.org:8443"])).toMatchObject({ ok: true, value: {} });
  expect((await done(showChannelWebhooks(admin, { channelId }))).hosts).toEqual([
    "agents.example.org",
    "b.example.org:8443",
  ]);
});
