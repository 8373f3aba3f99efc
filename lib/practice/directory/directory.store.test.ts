import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { openCalls } from "#lib/gate/shared/gates";
import { releaseGate } from "#lib/gate/release-gate";
import { reviewTask } from "#lib/task/review-task";
import { sendMessage } from "#lib/task/send-message";
import { getTask } from "#lib/task/get-task";
import { stateOf } from "#lib/task/model/task";
import { setRoute } from "#lib/practice/set-route";
import { done, operator } from "#test/support/people/admin";
import {
  aChannel,
  aPerson,
  aPractice,
  anIntake,
  aStore,
  aVoid,
  fullReview,
  seenOn,
  theWorker,
} from "#test/support/cases/cases";
import { inDays } from "#test/support/agents/reviews";
import { unguarded } from "#test/support/database/ledgers";
import { aSimulator } from "#test/support/payer/simulator";
import { submit } from "#lib/worker/submit";
import { inquire } from "#lib/worker/inquire";
import { removePayer, setPayer } from "./set-payer.ts";
import { setPayerRules } from "./set-payer-rules.ts";
import { setUnlistedPayers } from "./set-unlisted-payers.ts";
import type { RuleInput } from "./payer-input.ts";

const store = aStore();
const admin = { actor: operator, store };
const worker = theWorker(store);
const submitting = { log: pino({ enabled: false }), deadlineMs: 20_000, guard: unguarded };
afterAll(() => store.close());

const plan = { payerId: "60054", name: "Lakeview Mutual", aliases: ["LVM"] };
const imaging: RuleInput = {
  ...{ name: "Advanced imaging", serviceTypes: [], codes: ["70336-78816"], linesOfBusiness: [] },
  connection: "RAD01",
};

/** A practice whose payer has radiology reviewed by another, each reached at a simulator of its own. */
async function aDelegation() {
  const practiceId = await aPractice(store);
  const [own, radiology] = await Promise.all([aSimulator(), aSimulator()]);
  const connect = (payerId: string, payerName: string, url: string) =>
    done(
      setRoute(admin, {
        ...{ practiceId, payerId, payerName, connector: "pas-fhir", url: `${url}/fhir`, environment: "test" },
        credential: "right",
      }),
    );
  await connect(plan.payerId, plan.name, own.url);
  await connect("RAD01", "Radiology Partners", radiology.url);
  await done(setPayer(admin, { practiceId, ...plan }));
  await done(setPayerRules(admin, { practiceId, payerId: plan.payerId, rules: [imaging] }));
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  return { practiceId, own, radiology, channel, reviewer };
}

type Delegation = Awaited<ReturnType<typeof aDelegation>>;

const aRequest = (code: string, memberId = "HM1") => ({
  ...fullReview,
  payer: { id: plan.payerId },
  procedures: [{ code, quantity: 1, quantityTypeCode: "UN" }],
  subscriber: { ...fullReview.subscriber, memberId },
});

/** A case of this practice, and what may happen to it. */
async function aCase({ practiceId, channel, reviewer }: Delegation, review: object) {
  const { id: taskId } = await done(sendMessage(channel, anIntake({ practiceId, review })));
  const read = async () => {
    const record = await done(getTask(channel, { taskId, historyLength: 0 }));
    return { ...record, state: stateOf(record.task) };
  };
  const release = async () => done(releaseGate(reviewer, { taskId, seen: seenOn(await read()) }));
  const gates = () => store.prisma.gate.findMany({ where: { taskId }, orderBy: { openedAt: "asc" } });
  return {
    taskId,
    read,
    release,
    leaves: async () => {
      await release();
      await submit(worker, submitting, taskId);
      return read();
    },
    amends: (next: object) => done(sendMessage(channel, anIntake({ practiceId, taskId, review: next }))),
    voids: () => done(sendMessage(channel, aVoid({ practiceId, taskId }))),
    asksPayer: () => inquire(worker, submitting, taskId),
    view: () => done(reviewTask(reviewer, { taskId })),
    gates,
    addresses: async () => {
      const frozen = await Promise.all((await gates()).map((gate) => openCalls(store, gate)));
      return frozen.map((calls) => calls.map(({ url }) => url.replace(/\/fhir.*$/, ""))[0]);
    },
  };
}

describe("a payer that has others review some requests", () => {
  test("gets what no rule fits, and the reviewer of the first rule that fits gets the rest, each released byte once", async () => {
    const delegation = await aDelegation();
    const { own, radiology } = delegation;
    const [theirs, ours] = [await aCase(delegation, aRequest("70551")), await aCase(delegation, aRequest("97110"))];
    expect([await theirs.addresses(), await ours.addresses()]).toEqual([[radiology.url], [own.url]]);
    expect((await theirs.leaves()).state).toBe("determined");
    expect((await ours.leaves()).state).toBe("determined");
    const digestsOf = async (of: typeof ours) => (await of.gates()).map(({ documentDigests: [sha256] }) => sha256);
    expect((await radiology.ledger()).map(({ sha256, times }) => [sha256, times])).toEqual([
      [(await digestsOf(theirs))[0], 1],
    ]);
    expect((await own.ledger()).map(({ sha256 }) => sha256)).toEqual(await digestsOf(ours));
  });

  test("is named as the issuer of the policy, and the reviewer as the one who is asked", async () => {
    const delegation = await aDelegation();
    const { gates } = await aCase(delegation, aRequest("70551"));
    const [gate] = await gates();
    const [call] = gate ? await openCalls(store, gate) : [];
    const bundle = JSON.parse(Buffer.from(call?.body ?? []).toString("utf8"));
    const named = (reference: string) =>
      // oxlint-disable-next-line typescript/no-explicit-any -- a bundle as JSON
      bundle.entry.find(({ fullUrl }: any) => fullUrl === reference).resource;
    const [claim] = bundle.entry;
    const coverage = named(claim.resource.insurance[0].coverage.reference);
    expect(named(claim.resource.insurer.reference)).toMatchObject({
      ...{ identifier: [{ value: "RAD01" }], name: "Radiology Partners" },
    });
    expect(named(coverage.payor[0].reference)).toMatchObject({
      ...{ identifier: [{ value: "60054" }], name: "Lakeview Mutual" },
    });
  });

  test("keeps what was submitted on its connection whatever the rules say later, to the end", async () => {
    const delegation = await aDelegation();
    const { practiceId, own, radiology } = delegation;
    const of = await aCase(delegation, aRequest("70551", "HM1-PEND"));
    expect((await of.leaves()).state).toBe("transmitted");
    await done(setPayerRules(admin, { practiceId, payerId: plan.payerId, rules: [] }));
    await of.amends({ ...aRequest("70551", "HM1-PEND"), toDate: inDays(131) });
    await of.leaves();
    await of.asksPayer();
    await of.voids();
    expect((await of.leaves()).state).toBe("voided");
    expect(new Set(await of.addresses())).toEqual(new Set([radiology.url]));
    expect(await own.ledger()).toEqual([]);
    const kinds = (await radiology.ledger()).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["inquiry", "request", "update", "void"]);
  });

  test("has what awaits release prepared again where a new rule sends it elsewhere, and nothing else", async () => {
    const delegation = await aDelegation();
    const { practiceId, own, radiology } = delegation;
    const [moved, stays] = [await aCase(delegation, aRequest("97110")), await aCase(delegation, aRequest("70551"))];
    await moved.release();
    const therapy: RuleInput = { ...imaging, name: "Therapy", codes: ["97110"] };
    const rules = [therapy, imaging];
    const set = await done(setPayerRules(admin, { practiceId, payerId: plan.payerId, rules }));
    expect(set).toEqual({ superseded: 1 });
    expect((await moved.read()).state).toBe("transmit-held");
    expect(await moved.addresses()).toEqual([own.url, radiology.url]);
    expect(await stays.addresses()).toEqual([radiology.url]);
    await submit(worker, submitting, moved.taskId);
    expect([await own.ledger(), await radiology.ledger()]).toEqual([[], []]);
    expect(await done(removePayer(admin, { practiceId, payerId: plan.payerId }))).toEqual({ superseded: 2 });
    expect(await stays.addresses()).toEqual([radiology.url, own.url]);
  });

  test("has no release leave over the connection of before, though a rule changed in the same moment", async () => {
    const delegation = await aDelegation();
    const { practiceId, own, radiology } = delegation;
    const of = await aCase(delegation, aRequest("97110"));
    await of.release();
    // As an administrator's commit just before the claim leaves it.
    const rule = { ...imaging, codes: [{ from: "97110", to: "97110" }] };
    await store.prisma.payer.updateMany({ where: { practiceId }, data: { rules: [rule] } });
    await submit(worker, submitting, of.taskId);
    expect([await own.ledger(), await radiology.ledger()]).toEqual([[], []]);
    expect((await of.read()).state).toBe("transmit-held");
    expect(await of.addresses()).toEqual([own.url, radiology.url]);
  });

  test("says on the case which connection is used and why, as it was when the gate opened", async () => {
    const delegation = await aDelegation();
    const { practiceId } = delegation;
    const of = await aCase(delegation, aRequest("70551", "HM1-PEND"));
    const why = { payerId: "RAD01", payerName: "Radiology Partners", rule: { name: "Advanced imaging", position: 1 } };
    expect((await of.view()).connection).toMatchObject(why);
    await of.leaves();
    await done(setPayerRules(admin, { practiceId, payerId: plan.payerId, rules: [] }));
    const { payer, connection } = await of.view();
    expect(payer).toMatchObject({ id: "60054", name: "Lakeview Mutual" });
    expect(connection).toMatchObject(why);
  });

  test("warns reviewer and agent where a rule fits a part of a request only, which goes to the payer as a whole", async () => {
    const delegation = await aDelegation();
    const { practiceId, channel, own } = delegation;
    const review = { ...aRequest("97110"), procedures: [{ code: "97110" }, { code: "70551" }] };
    const sent = await done(sendMessage(channel, anIntake({ practiceId, review })));
    expect(sent.advice?.warnings).toContainEqual({
      ...{ code: "delegated-in-part", path: "/procedures/1", values: ["Advanced imaging", "70551"] },
    });
    const of = await aCase(delegation, { ...review, fromDate: inDays(60) });
    expect(await of.addresses()).toEqual([own.url]);
    expect((await of.view()).checks.map(({ type }) => type)).toContain("delegated-in-part");
  });

  test("takes over its connection what the directory says, and a person does the rest", async () => {
    const delegation = await aDelegation();
    const { practiceId } = delegation;
    const of = await aCase(delegation, aRequest("97110", "HM1-PEND"));
    await of.leaves();
    await done(setPayer(admin, { practiceId, ...plan, supports: ["updates"] }));
    await of.voids();
    expect((await of.gates()).at(-1)).toMatchObject({ action: "void", isManual: true });
    await done(setPayer(admin, { practiceId, ...plan }));
    expect((await of.gates()).at(-1)).toMatchObject({ action: "void", isManual: false });
  });
});

describe("rules", () => {
  test("name connections there are, in codes of one form, and are refused with what is wrong in which", async () => {
    const { practiceId } = await aDelegation();
    const set = (rules: readonly RuleInput[]) => setPayerRules(admin, { practiceId, payerId: plan.payerId, rules });
    const bad = [{ ...imaging, connection: "nowhere" }, imaging];
    expect(await set(bad)).toMatchObject({ refusal: { issues: [{ field: "0.connection" }] } });
    expect(await set([imaging, { ...imaging, codes: ["70336-J1000"], name: "" }])).toMatchObject({
      refusal: { issues: [{ field: "1.name" }, { field: "1.codes" }] },
    });
    expect(await set([{ ...imaging, codes: ["78816-70336"] }])).toMatchObject({
      refusal: { issues: [{ field: "0.codes" }] },
    });
  });

  test("made from others than those there are now are refused, and nothing changes", async () => {
    const { practiceId } = await aDelegation();
    const of = { practiceId, payerId: plan.payerId };
    expect(await setPayerRules(admin, { ...of, rules: [], seen: "[]" })).toMatchObject({
      refusal: { type: "changed-since" },
    });
    expect(await store.prisma.payer.findFirst({ where: of })).toMatchObject({ rules: [{ name: imaging.name }] });
  });
});

describe("a request to a payer that is not in the practice's directory", () => {
  const mistyped = { ...aRequest("97110"), payer: { id: "60045" } };
  const aliased = { ...aRequest("97110"), payer: { id: "lvm" } };

  test("is refused with whom it may mean, and nothing is kept of it", async () => {
    const { practiceId, channel } = await aDelegation();
    for (const review of [mistyped, aliased]) {
      expect(await sendMessage(channel, anIntake({ practiceId, review }))).toEqual({
        ok: false,
        refusal: {
          type: "invalid",
          issues: [
            {
              path: "/message/parts/0/data/serviceReview/payer/id",
              problem: "isn't a payer of this practice; did you mean 60054 (Lakeview Mutual)?",
              suggestions: [{ id: "60054", name: "Lakeview Mutual" }],
            },
          ],
        },
      });
    }
    expect(await store.prisma.task.count({ where: { practiceId } })).toBe(0);
    expect(await store.prisma.message.count({ where: { practiceId } })).toBe(0);
  });

  test("is taken for manual submission where the practice chose that, with a warning of whom it may mean", async () => {
    const { practiceId, channel } = await aDelegation();
    await done(setUnlistedPayers(admin, { practiceId, unlistedPayers: "manual" }));
    const sent = await done(sendMessage(channel, anIntake({ practiceId, review: mistyped })));
    expect(sent.gate).toMatchObject({ action: "transmit", status: "open" });
    expect(sent.advice?.warnings).toContainEqual({
      ...{ code: "unlisted-payer", path: "/payer/id", values: ["60045", "60054 (Lakeview Mutual)"] },
    });
  });

  test("that was accepted before stays what it was: sent again it is the same task, and it is continued", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const first = anIntake({ practiceId, review: mistyped, messageId: "m-1" });
    const { id: taskId } = await done(sendMessage(channel, first));
    await done(setPayer(admin, { practiceId, ...plan }));
    expect(await done(sendMessage(channel, first))).toMatchObject({ id: taskId });
    const next = { ...mistyped, toDate: inDays(131) };
    expect(await done(sendMessage(channel, anIntake({ practiceId, taskId, review: next })))).toMatchObject({
      id: taskId,
    });
    const other = { ...mistyped, payer: { id: "60046" } };
    expect(await sendMessage(channel, anIntake({ practiceId, taskId, review: other }))).toMatchObject({
      refusal: { type: "invalid" },
    });
  });

  test("is taken without a word by a practice that knows no payer, and with a warning by one that has connections alone", async () => {
    const practiceId = await aPractice(store);
    const channel = await aChannel(store, { practices: [practiceId] });
    const send = () => sendMessage(channel, anIntake({ practiceId, review: mistyped }));
    const codes = async () => (await done(send())).advice?.warnings.map(({ code }) => code) ?? [];
    expect(await codes()).not.toContain("unlisted-payer");
    await done(setRoute(admin, { practiceId, payerId: "60054", payerName: "Lakeview Mutual", connector: "manual" }));
    expect(await codes()).toContain("unlisted-payer");
  });
});

test("a payer that the directory says is reached by a person needs no connection and no reason to release to", async () => {
  const practiceId = await aPractice(store);
  await done(setPayer(admin, { practiceId, ...plan, connector: "manual" }));
  const [channel, reviewer] = await Promise.all([
    aChannel(store, { practices: [practiceId] }),
    aPerson(store, { practices: [practiceId] }),
  ]);
  const { id: taskId } = await done(sendMessage(channel, anIntake({ practiceId, review: aRequest("97110") })));
  const { checks, payer } = await done(reviewTask(reviewer, { taskId }));
  expect(checks.map(({ type }) => type)).not.toContain("payer-not-configured");
  expect(payer).toMatchObject({ name: "Lakeview Mutual", configured: true });
});

test("what a payer of the directory requires is missing from a request without it", async () => {
  const { practiceId, channel } = await aDelegation();
  await done(setPayer(admin, { practiceId, ...plan, requiredFields: ["/requestingProvider/fax"] }));
  const sent = await done(sendMessage(channel, anIntake({ practiceId, review: aRequest("97110") })));
  expect(sent.task.missing).toEqual(["/requestingProvider/fax"]);
});
