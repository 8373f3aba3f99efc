import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { exportReceipts } from "#lib/audit/export-receipts";
import { openSigningKey } from "#lib/platform/signing-keys";
import { receiptSchema, type Receipt } from "#lib/gate/receipt/receipt";
import { verifyReceipts } from "#lib/gate/receipt/verify";
import type { Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import {
  actsOf,
  aHeldTask,
  anIntake,
  aPerson,
  aPractice,
  aStore,
  aVoid,
  receiptKey,
  seenOn,
  sealingKey,
} from "#test/support/cases/cases";
import { superuserUrl, testDatabase } from "#test/support/database/fresh-database";
import { adoptTask } from "#lib/task/adopt-task";
import { declineGate } from "./decline-gate.ts";
import { getTask } from "#lib/task/get-task";
import { readDecision } from "./read-decision.ts";
import { readReceipt } from "./read-receipt.ts";
import { recallRelease } from "./recall-release.ts";
import { releaseGate } from "./release-gate.ts";
import { reviewTask } from "#lib/task/review-task";
import { requestInformation } from "./request-information.ts";
import { sendMessage } from "#lib/task/send-message";

const store = aStore();
afterAll(() => store.close());
const keys = [openSigningKey(receiptKey).key];

async function receiptsOf(practiceId: string): Promise<readonly string[]> {
  const page = await exportReceipts({ actor: { kind: "operator" }, store }, { practiceId, after: 0 });
  if (!page.ok) throw new Error("An operator may export.");
  return page.value.map(({ text = "not opened" }) => text);
}

const parsed = (texts: readonly string[]): readonly Receipt[] =>
  texts.map((text) => receiptSchema.parse(JSON.parse(text)));

function findingsOf(texts: readonly string[]) {
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));
  return verifyReceipts([{ name: "export", bytes }], { keys, chain: { from: 1 } }).findings;
}

describe("a receipt", () => {
  test("of a release names the person, the gate, its digests and its audit entry, and nothing of the patient", async () => {
    const { practiceId, reviewer, record, taskId, seen } = await aHeldTask(store, { routed: true });
    await releaseGate(reviewer, { taskId, seen });
    const texts = await receiptsOf(practiceId);
    const { rows } = await store.pool.query<{ seq: number; hash: string }>(
      "SELECT seq::int, hash FROM audit_entry WHERE task_id = $1 AND act = 'gate.released'",
      [taskId],
    );
    const person = { id: reviewer.actor.id, name: reviewer.actor.name };
    const gate = await store.prisma.gate.findUniqueOrThrow({ where: { id: seen.gateId } });
    expect(parsed(texts)).toMatchObject([
      {
        practiceId,
        sequence: 1,
        previousReceiptHash: null,
        taskId,
        gateId: seen.gateId,
        action: "transmit",
        environment: "test",
        revision: 1,
        revisionDigest: record.revisionDigest,
        gateDigest: seen.digest,
        documentDigests: record.gate?.documentDigests,
        decision: "released",
        decidedBy: person,
        decidedAt: gate.decidedAt?.toISOString(),
        votes: [{ person, answer: "release", at: gate.decidedAt?.toISOString() }],
        audit: { sequence: rows[0]?.seq, hash: rows[0]?.hash },
        kid: keys[0]?.kid,
      },
    ]);
    expect(findingsOf(texts)).toEqual([]);
  });

  test("of a decline holds neither the reason nor anything the agent wrote", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    await declineGate(reviewer, { taskId, seen, reason: "Mrs Okafor withdrew consent." });
    const [text = ""] = await receiptsOf(practiceId);
    expect(parsed([text])).toMatchObject([{ decision: "declined", votes: [{ answer: "decline" }] }]);
    expect(text).not.toMatch(/Okafor|consent|72148/);
  });

  test("is issued for what is sent back, recalled and released again, each linked to the one before", async () => {
    const { practiceId, channel, reviewer, taskId, seen } = await aHeldTask(store, { recallWindowS: 600 });
    await requestInformation(reviewer, { taskId, seen, question: "Which level?" });
    await sendMessage(channel, anIntake({ practiceId, taskId }));
    const again = await recordNow(channel, taskId);
    await releaseGate(reviewer, { taskId, seen: seenOn(again) });
    await recallRelease(reviewer, { taskId, gateId: seenOn(again).gateId });
    const texts = await receiptsOf(practiceId);
    expect(parsed(texts).map(({ sequence, decision, revision }) => [sequence, decision, revision])).toEqual([
      [1, "sent-back", 1],
      [2, "released", 2],
      [3, "recalled", 2],
    ]);
    expect(parsed(texts)[2]).toMatchObject({ gateId: seenOn(again).gateId, votes: [{ answer: "release" }] });
    expect(findingsOf(texts)).toEqual([]);
  });

  test("is issued for an adoption, and for a void that is declined", async () => {
    const { practiceId, channel, reviewer, taskId } = await aHeldTask(store);
    await store.prisma.task.update({ where: { id: taskId }, data: { attention: "channel-revoked" } });
    expect(await adoptTask(reviewer, { taskId })).toMatchObject({ ok: true });
    await store.prisma.task.update({ where: { id: taskId }, data: { stage: "idle", payerReceipt: "yes" } });
    const requested = await sendMessage(channel, aVoid({ practiceId, taskId }));
    if (!requested.ok) throw new Error(JSON.stringify(requested.refusal));
    const held = await recordNow(channel, taskId);
    await declineGate(reviewer, { taskId, seen: seenOn(held), reason: "Keep it." });
    expect(parsed(await receiptsOf(practiceId)).map(({ action, decision }) => [action, decision])).toEqual([
      ["transmit", "adopted"],
      ["void", "declined"],
    ]);
  });

  test("of a release two people had to give is issued once, for the second, and names them both", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    const rules = (["ordinary", "high"] as const).map((risk) => ({ practiceId, action: "transmit", risk, votes: 2 }));
    await store.prisma.voteRule.createMany({ data: rules });
    const lee = await aPerson(store, { practices: [practiceId], name: "Lee Park" });
    await releaseGate(reviewer, { taskId, seen });
    expect(await receiptsOf(practiceId)).toEqual([]);
    await releaseGate(lee, { taskId, seen });
    const texts = await receiptsOf(practiceId);
    expect(parsed(texts)).toMatchObject([
      {
        decidedBy: { name: "Lee Park" },
        votesNeeded: 2,
        votes: [{ person: { name: "Dana Whitfield" } }, { person: { name: "Lee Park" } }],
      },
    ]);
    expect(findingsOf(texts)).toEqual([]);
  });

  test("is not issued where nothing was decided: to the loser, to a stranger, or when a gate expires", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    const stranger = await aPerson(store, { practices: [await aPractice(store)] });
    await releaseGate(stranger, { taskId, seen });
    await releaseGate(reviewer, { taskId, seen: { ...seen, digest: "0".repeat(64) } });
    await store.prisma.gate.update({
      where: { id: seen.gateId },
      data: { openedAt: new Date(0), expiresAt: new Date(1) },
    });
    await releaseGate(reviewer, { taskId, seen });
    expect(await actsOf(store, taskId)).toEqual(["task.opened", "gate.expired"]);
    expect(await receiptsOf(practiceId)).toEqual([]);
  });

  test("goes with its decision or not at all: without a key to sign it, nothing is decided", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    const keyless = openWholeStore({ url: testDatabase.appUrl, sealingKey, connectionsMax: 2 });
    await expect(releaseGate({ ...reviewer, store: keyless }, { taskId, seen })).rejects.toThrow("RECEIPT_SIGNING_KEY");
    await keyless.close();
    expect(await actsOf(store, taskId)).toEqual(["task.opened"]);
    expect(await receiptsOf(practiceId)).toEqual([]);
    expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: true });
  });
});

test("twenty decisions of one practice at once make one chain of twenty", async () => {
  const { practiceId, channel, reviewer } = await aHeldTask(store);
  const sent = await Promise.all(Array.from({ length: 20 }, () => sendMessage(channel, anIntake({ practiceId }))));
  const records = sent.flatMap((one) => (one.ok ? [one.value] : []));
  const answers = await Promise.all(
    records.map((record, index) => {
      const decide = { taskId: record.id, seen: seenOn(record) };
      return index % 2 === 0 ? releaseGate(reviewer, decide) : declineGate(reviewer, { ...decide, reason: "No." });
    }),
  );
  expect(answers.every(({ ok }) => ok)).toBe(true);
  const texts = await receiptsOf(practiceId);
  expect(findingsOf(texts)).toEqual([]);
  expect(parsed(texts).map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(new Set(parsed(texts).map(({ audit }) => audit.sequence)).size).toBe(20);
});

describe("a receipt kept", () => {
  test("is found from the history, and only by a reviewer of the practice, under its own case", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    const other = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const view = await reviewTask(reviewer, { taskId });
    const receiptId = view.ok ? view.value.history.find(({ act }) => act === "gate.released")?.receiptId : undefined;
    if (receiptId === undefined) throw new Error("The history names the receipt.");
    const [text] = await receiptsOf(practiceId);
    expect(await readReceipt(reviewer, { taskId, receiptId })).toEqual({ ok: true, value: { sequence: 1, text } });
    const none = { ok: false, refusal: { type: "not-found" } };
    const admin = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
    expect(await readReceipt(other.reviewer, { taskId, receiptId })).toEqual(none);
    expect(await readReceipt(admin, { taskId, receiptId })).toEqual(none);
    expect(await readReceipt(reviewer, { taskId: other.taskId, receiptId })).toEqual(none);
    expect(await readReceipt(reviewer, { taskId, receiptId: "x" })).toEqual(none);
  });

  test("is never what an agent is told", async () => {
    const { channel, reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const text = JSON.stringify(await getTask(channel, { taskId, historyLength: 10 }));
    expect(text).not.toContain(reviewer.actor.id);
    expect(text).not.toContain(reviewer.actor.name);
  });

  test("cannot be changed or removed by the application, nor by the owner while the triggers stand", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await owner.connect();
    for (const sql of [
      "UPDATE decision_receipt SET seq = 2",
      "DELETE FROM decision_receipt",
      "TRUNCATE decision_receipt",
    ]) {
      const where = sql.startsWith("TRUNCATE") ? "" : ` WHERE practice_id = '${practiceId}'`;
      await expect(store.pool.query(sql + where)).rejects.toThrow("permission denied");
      await expect(owner.query(sql + where)).rejects.toThrow("never changed or removed");
    }
    await owner.end();
    expect(await receiptsOf(practiceId)).toHaveLength(1);
  });
});

async function asOwner<Value>(use: (owner: pg.Client) => Promise<Value>): Promise<Value> {
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  try {
    return await use(owner);
  } finally {
    await owner.end();
  }
}

describe("how a receipt is kept", () => {
  const keptOf = async (practiceId: string) =>
    (await store.prisma.decisionReceipt.findMany({ where: { practiceId }, orderBy: { seq: "asc" } })).map(
      ({ document, packed }) => (document === null ? (packed?.length ?? 0) < 600 : "text"),
    );

  test("is compressed, and as text where a setting or the database says that an earlier program may read it; each follows the one before all the same", async () => {
    const { practiceId, channel, reviewer, taskId, seen } = await aHeldTask(store);
    const decideNext = async (by: Store) => {
      await requestInformation(
        { ...reviewer, store: by },
        { taskId, seen: seenOn(await recordNow(channel, taskId)), question: "Which level?" },
      );
      await sendMessage(
        channel,
        anIntake({ practiceId, taskId, review: { payer: { id: "60054" }, procedures: [{ code: "72149" }] } }),
      );
    };
    expect(seen.gateId).toBeDefined();
    await decideNext(store);
    await decideNext({ ...store, compression: "documents" });
    const from = (interval: string) =>
      asOwner((owner) =>
        owner.query("UPDATE seal_format SET written_from = clock_timestamp() + $1::interval WHERE format = 5", [
          interval,
        ]),
      );
    await from("1 hour");
    await decideNext(store);
    await from("0");
    await decideNext(store);
    expect(await keptOf(practiceId)).toEqual([true, "text", "text", true]);
    const texts = await receiptsOf(practiceId);
    expect(parsed(texts).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(findingsOf(texts)).toEqual([]);
  });

  test("whatever a program writes, no later receipt of a practice names none before it", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const [text = ""] = await receiptsOf(practiceId);
    expect(parsed([text])[0]?.previousReceiptHash).toBeNull();
    const again = store.pool.query(
      `INSERT INTO decision_receipt (id, practice_id, seq, task_id, gate_id, decision, decided_at, audit_seq, kid, document)
       SELECT gen_random_uuid(), practice_id, 2, task_id, gate_id, decision, decided_at, audit_seq, kid, $2
         FROM decision_receipt WHERE practice_id = $1`,
      [practiceId, text],
    );
    await expect(again).rejects.toThrow("decision_receipt_follows");
  });
});

describe("a decision to print", () => {
  test("is refused by the number of its receipt where that does not open, as the receipt itself is", async () => {
    const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const { id: receiptId } = await store.prisma.decisionReceipt.findFirstOrThrow({ where: { taskId } });
    const superuser = new pg.Client({ connectionString: superuserUrl(testDatabase) });
    await superuser.connect();
    await superuser.query("SET session_replication_role = replica");
    await superuser.query("UPDATE decision_receipt SET document = NULL, packed = '\\x0500' WHERE practice_id = $1", [
      practiceId,
    ]);
    await superuser.end();
    const refused = { ok: false, refusal: { type: "unopened-receipt", sequence: 1 } };
    expect(await readDecision(reviewer, { taskId })).toEqual(refused);
    expect(await readDecision(reviewer, { taskId, receiptId })).toEqual(refused);
    expect(await readReceipt(reviewer, { taskId, receiptId })).toEqual(refused);
    expect(await reviewTask(reviewer, { taskId })).toMatchObject({ ok: true });
  });

  test("is the last one, or the one whose receipt is named, on the revision it was made on", async () => {
    const { practiceId, channel, reviewer, taskId, seen, record } = await aHeldTask(store);
    expect(await readDecision(reviewer, { taskId })).toMatchObject({
      ok: true,
      value: {
        decision: undefined,
        revision: { number: 1, digest: record.revisionDigest },
        gate: { digest: seen.digest },
      },
    });
    await requestInformation(reviewer, { taskId, seen, question: "Which level?" });
    const review = { payer: { id: "60054" }, procedures: [{ code: "72149" }] };
    await sendMessage(channel, anIntake({ practiceId, taskId, review }));
    await declineGate(reviewer, { taskId, seen: seenOn(await recordNow(channel, taskId)), reason: "No." });
    const [first, last] = parsed(await receiptsOf(practiceId));
    expect(await readDecision(reviewer, { taskId })).toMatchObject({
      ok: true,
      value: { review, revision: { number: 2 }, decision: { receipt: last, reason: "No." } },
    });
    expect(await readDecision(reviewer, { taskId, receiptId: first?.id })).toMatchObject({
      ok: true,
      value: {
        revision: { number: 1 },
        gate: { id: seen.gateId },
        decision: { receipt: first, reason: "Which level?" },
      },
    });
  });

  test("is nobody's but a reviewer's of the practice, and names a receipt of its own case", async () => {
    const { taskId, seen, reviewer, practiceId } = await aHeldTask(store);
    const other = await aHeldTask(store);
    await releaseGate(reviewer, { taskId, seen });
    const [receipt] = parsed(await receiptsOf(practiceId));
    const none = { ok: false, refusal: { type: "not-found" } };
    expect(await readDecision(other.reviewer, { taskId })).toEqual(none);
    expect(await readDecision(other.reviewer, { taskId: other.taskId, receiptId: receipt?.id })).toEqual(none);
    expect(await readDecision(reviewer, { taskId: "x" })).toEqual(none);
  });
});

async function recordNow(channel: Awaited<ReturnType<typeof aHeldTask>>["channel"], taskId: string) {
  const found = await getTask(channel, { taskId, historyLength: 0 });
  if (!found.ok) throw new Error(JSON.stringify(found.refusal));
  return found.value;
}
