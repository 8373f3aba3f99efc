import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import pg from "pg";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { changeGrants } from "#lib/person/change-grants";
import { createChannel } from "#lib/channel/create-channel";
import { disablePerson } from "#lib/person/disable-person";
import { revokeKey } from "#lib/channel/revoke-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { suspendChannel } from "#lib/channel/suspend-channel";
import { suspendPractice } from "#lib/practice/suspend-practice";
import { beginSession } from "#lib/person/session/begin-session";
import { warningTypes } from "#lib/gate/model/checks";
import { sessionActor } from "#lib/person/shared/live-session";
import { storeForPerson } from "#lib/db/for-practices";
import { releaseGate } from "#lib/gate/release-gate";
import { done } from "#test/support/people/admin";
import { seenOn } from "../authority/form.ts";
import {
  aPractice,
  endWaits,
  expect,
  fullIntake,
  ledgerOf,
  smallIntake,
  test,
  untilState,
  type Practice,
  type WireTask,
} from "../fixtures/journey.ts";
import { afterwards, call, intake, keepAsking, type Asking } from "../fixtures/load.ts";
import type { Stack } from "../fixtures/stack.ts";

type Taking = (stack: Stack, practice: Practice) => Promise<unknown>;

/** Whatever takes from an agent what it may do. `elsewhere` is a practice of nobody's. */
const fromAgents = (elsewhere: string): Readonly<Record<string, Taking>> => ({
  "a revoked key": ({ operator }, { channel }) => done(revokeKey(operator, { channelId: channel.id })),
  "a suspended channel": ({ operator }, { channel }) => done(suspendChannel(operator, { channelId: channel.id })),
  "a channel without the practice": ({ operator }, { channel }) =>
    done(
      changeChannelAccess(operator, {
        channelId: channel.id,
        practices: [elsewhere],
        atoms: ["tasks_get", "prior_auth_intake"],
      }),
    ),
  "a channel without the atoms": ({ operator }, { id, channel }) =>
    done(changeChannelAccess(operator, { channelId: channel.id, practices: [id], atoms: ["tasks_cancel"] })),
  "a suspended practice": ({ operator }, { id }) => done(suspendPractice(operator, { practiceId: id })),
});

/** Whatever takes from a person what they may do, and so from what they released and has not left. */
const rightsOfPeople: Readonly<Record<string, Taking>> = {
  "a disabled person": ({ operator }, { reviewer: { email } }) => done(disablePerson(operator, { email })),
  "a person without the practice": ({ operator }, { id, reviewer: { email } }) =>
    done(changeGrants(operator, { email, remove: [{ role: "reviewer", practiceId: id }] })),
};

const fromPeople: Readonly<Record<string, Taking>> = {
  ...rightsOfPeople,
  "an ended session": ({ sql }, { reviewer: { email } }) =>
    sql("UPDATE session SET revoked_at = now() WHERE person_id = (SELECT id FROM person WHERE email = $1)", [email]),
};

const enough = 25;

test("what is taken away is gone from the next request on, on two servers under load", async ({ stack }, info) => {
  const second = await stack.oneMoreServer();
  const servers = [stack.baseUrl, second.baseUrl];
  const spare = await aPractice(stack);
  const takings = { ...fromAgents(spare.id), ...fromPeople };
  const askings = await Promise.all(
    Object.entries(takings).map(async ([what, take]) => {
      const practice = await aPractice(stack);
      const task = await practice.agent.send(smallIntake(practice));
      const asking = Object.hasOwn(fromPeople, what)
        ? await ofPerson(servers, practice, task)
        : await ofAgent(stack, servers, { practice, task });
      return { what, take: () => take(stack, practice), asking };
    }),
  );
  const found: Record<string, string> = {};
  const wrong: string[] = [];
  try {
    const goodSoFar = () =>
      askings.flatMap(({ asking }) =>
        afterwards(asking, servers, 0).map((list) => list.filter(({ good }) => good).length),
      );
    await expect.poll(() => Math.min(...goodSoFar())).toBeGreaterThan(5);
    const taken: { what: string; asking: Asking; takenMs: number }[] = [];
    for (const { what, take, asking } of askings) {
      await take();
      taken.push({ what, asking, takenMs: performance.now() });
    }
    const requestsSince = () =>
      taken.flatMap(({ asking, takenMs }) => afterwards(asking, servers, takenMs).map(({ length }) => length));
    await expect.poll(() => Math.min(...requestsSince())).toBeGreaterThanOrEqual(enough);
    for (const { what, asking, takenMs } of taken) {
      const later = afterwards(asking, servers, takenMs).flat();
      const good = later.filter((each) => each.good);
      if (good.length > 0) wrong.push(`${what}: ${good.length} of ${later.length} still went through`);
      const other = later.filter(({ status }) => ![200, 401, 404].includes(status));
      if (other.length > 0) wrong.push(`${what}: ${other.length} of ${later.length} were no denial`);
      found[what] = `${good.length} of ${later.length}`;
    }
  } finally {
    await Promise.all(askings.map(({ asking }) => asking.stop()));
    await second.stop();
  }
  info.annotations.push({ type: "went through afterwards", description: JSON.stringify(found) });
  expect(wrong).toEqual([]);
});

/** Reads its task and sends intakes, by turns. */
async function ofAgent(
  { operator }: Stack,
  servers: readonly string[],
  { practice, task: { id } }: { practice: Practice; task: WireTask },
): Promise<Asking> {
  // Nothing but what was taken away keeps a call back.
  await done(
    changeChannelAccess(operator, { channelId: practice.channel.id, callsPerSecond: "none", callsAtOnce: "none" }),
  );
  let turn = 0;
  return keepAsking(servers, (server) => {
    turn += 1;
    return call(server, practice.channel.key, turn % 4 === 0 ? intake(smallIntake(practice)) : ["tasks/get", { id }]);
  });
}

/** Says that it reads the case, as an open page does. */
async function ofPerson(servers: readonly string[], { reviewer }: Practice, { id }: WireTask): Promise<Asking> {
  const { token } = await reviewer.newSession();
  return keepAsking(servers, async (server) => {
    const answer = await fetch(`${server}/tasks/${id}/presence?sign=seen`, {
      method: "POST",
      headers: { origin: server, cookie: `next-auth.session-token=${token}` },
    });
    await answer.arrayBuffer();
    return { status: answer.status, good: answer.ok };
  });
}

test("what was released and may not leave any more is not sent, under load; the rest is", async ({ stack }) => {
  const [spare, busy] = [await aPractice(stack, { recallWindowS: 600 }), await aPractice(stack)];
  const task = await busy.agent.send(smallIntake(busy));
  const load = await ofAgent(stack, [stack.baseUrl], { practice: busy, task });
  try {
    const cases = [];
    for (const take of Object.values({ ...fromAgents(spare.id), ...rightsOfPeople })) {
      const practice = await aPractice(stack, { recallWindowS: 600 });
      cases.push({ practice, take, released: await releasedCases(stack, practice, 2) });
    }
    const rest = await releasedCases(stack, spare, 2);
    for (const { practice, take } of cases) await take(stack, practice);
    const released = cases.flatMap((each) => each.released);
    for (const { id } of [...released, ...rest]) await endWaits(stack, id);
    for (const { id } of rest) await untilState(spare.agent, id, "determined", { hurry: stack });
    const acts = () => actsOf(stack, released);
    await expect.poll(async () => (await acts()).filter((act) => act === "gate.re-held").length).toBe(released.length);
    expect(await acts()).not.toContain("transmission.started");
    const arrived = (await ledgerOf(stack)).map(({ sha256 }) => sha256);
    const digestsOf = (tasks: readonly WireTask[]) => tasks.flatMap(({ gate }) => gate?.documentDigests ?? []);
    expect(arrived).toEqual(expect.arrayContaining(digestsOf(rest)));
    expect(digestsOf(released).filter((digest) => arrived.includes(digest))).toEqual([]);
  } finally {
    await load.stop();
  }
});

/** Cases that a reviewer released, which wait out their recall window. */
async function releasedCases({ operator }: Stack, practice: Practice, count: number): Promise<readonly WireTask[]> {
  const { store } = operator;
  await done(setNotedWarnings(operator, { practiceId: practice.id, noted: warningTypes }));
  const begun = await beginSession(store, practice.reviewer);
  const actor = begun && (await sessionActor(store, begun.sessionId));
  if (!actor) throw new Error("The reviewer cannot sign in.");
  const released: WireTask[] = [];
  for (let index = 0; index < count; index += 1) {
    const task = await practice.agent.send(fullIntake(practice, { memberId: `HM44710${index + 10}` }));
    const { gateId, digest, key } = seenOn(task);
    const input = { taskId: task.id, key, seen: { gateId, revision: task.revision.number, digest } };
    await done(releaseGate({ actor, store: storeForPerson(store, actor) }, input));
    released.push(task);
  }
  return released;
}

async function actsOf({ operator }: Stack, tasks: readonly WireTask[]): Promise<readonly string[]> {
  const { rows } = await operator.store.pool.query<{ act: string }>(
    "SELECT act FROM audit_entry WHERE task_id = ANY ($1::uuid[])",
    [tasks.map(({ id }) => id)],
  );
  return rows.map(({ act }) => act);
}

test("an assertion is used once and a channel's limits hold, with two servers asked at once", async ({ stack }) => {
  const second = await stack.oneMoreServer(async () => ({ PUBLIC_URL: stack.baseUrl, NEXTAUTH_URL: stack.baseUrl }));
  const servers = [stack.baseUrl, second.baseUrl];
  const { operator } = stack;
  const practice = await aPractice(stack);
  const { privateKey, publicKey } = await generateKeyPair("ES384", { extractable: true });
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "one" }] });
  const { clientId } = await done(setChannelClient(operator, { channelId: practice.channel.id, jwks }));
  const tokenOf = async (server: string, assertion: string) =>
    fetch(`${server}/api/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: assertion,
      }),
    }).then(({ ok }) => ok);
  for (let round = 0; round < 20; round += 1) {
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: "ES384", kid: "one" })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(`${stack.baseUrl}/api/token`)
      .setExpirationTime("4m")
      .sign(privateKey);
    const given = await Promise.all([...servers, ...servers].map((server) => tokenOf(server, assertion)));
    expect(given.filter(Boolean)).toHaveLength(1);
  }

  const perSecond = 20;
  const task = await practice.agent.send(smallIntake(practice));
  const limited = await done(
    createChannel(operator, {
      name: "Limited",
      practices: [practice.id],
      atoms: ["tasks_get"],
      callsPerSecond: perSecond,
    }),
  );
  const beganMs = performance.now();
  const asking = keepAsking(servers, (server) => call(server, limited.key, ["tasks/get", { id: task.id }]), {
    atOnce: 4,
  });
  await expect.poll(() => performance.now() - beganMs, { timeout: 5_000 }).toBeGreaterThan(2_500);
  await asking.stop();
  const spanS = (performance.now() - beganMs) / 1_000;
  const served = asking.asks.filter(({ good }) => good).length;
  expect(asking.asks.filter(({ status }) => status === 429).length).toBeGreaterThan(served);
  expect(served).toBeLessThanOrEqual(perSecond * (spanS + 1) + servers.length * 0.2 * perSecond);
  expect(served).toBeGreaterThan(perSecond);
  await atOnce(stack, servers, practice);
  await second.stop();
});

/**
 * Calls that wait for a table stay under way: while it is locked, as many as the limit allows do, over both servers,
 * and each one more is refused, however the calls are shared out.
 */
async function atOnce(stack: Stack, servers: readonly string[], practice: Practice): Promise<void> {
  const atMost = 3;
  const { id: channelId, key } = await done(
    createChannel(stack.operator, {
      name: "Few at once",
      practices: [practice.id],
      atoms: ["prior_auth_intake"],
    }),
  );
  await done(changeChannelAccess(stack.operator, { channelId, callsPerSecond: "none", callsAtOnce: String(atMost) }));
  const [one, two] = servers as [string, string];
  const lock = new pg.Client({ connectionString: stack.ownerUrl });
  await lock.connect();
  try {
    let most = 0;
    for (const share of [10, 0, 20, 5, 15, 1, 19, 10]) {
      await lock.query("BEGIN");
      await lock.query("LOCK TABLE message IN SHARE MODE");
      const sent = Array.from({ length: 20 }, (_, index) => (index < share ? one : two));
      const statuses: number[] = [];
      const calls = sent.map((server) =>
        call(server, key, intake(smallIntake(practice))).then(({ status }) => statuses.push(status)),
      );
      const refused = () => statuses.filter((status) => status === 429).length;
      await expect.poll(refused, `of 20, ${share} at one server`).toBeGreaterThanOrEqual(sent.length - atMost);
      await lock.query("COMMIT");
      await Promise.all(calls);
      const letIn = statuses.filter((status) => status === 200).length;
      expect(letIn).toBeLessThanOrEqual(atMost);
      expect(letIn + refused()).toBe(sent.length);
      most = Math.max(most, letIn);
    }
    expect(most).toBe(atMost);
  } finally {
    await lock.end();
  }
}
