import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { decideCase, decision } from "../../app/tasks/[id]/decision/intents.ts";
import { releaseGate } from "#lib/gate/release-gate";
import { startManualSubmission } from "#lib/submission/manual-submission";
import { aHeldTask, aStore, fullReview } from "#test/support/cases/cases";
import { anAnsweredTask, approved, denied } from "#test/support/cases/sent-cases";
import type { Possible } from "#lib/task/views";

const store = aStore();
afterAll(() => store.close());

/** What a browser never sends of itself, and a session's holder can. */
const nasty: readonly (readonly [string, string])[] = [
  ["a NUL", "a\u0000b"],
  ["4,000 characters of no order", randomBytes(2_000).toString("hex")],
  ["64 of four bytes", "\u{1F600}".repeat(64)],
  ["a number beyond all", "9".repeat(300)],
  ["no UUID", "x'; --"],
];

const held = async () => {
  const { seen, ...of } = await aHeldTask(store, { routed: true, review: fullReview });
  return { ...of, gateId: seen.gateId, revision: String(seen.revision), digest: seen.digest };
};
const manual = async () => {
  const { seen, ...of } = await aHeldTask(store);
  await releaseGate(of.reviewer, { taskId: of.taskId, seen });
  return { ...of, gateId: seen.gateId };
};
const submitting = async () => {
  const of = await manual();
  await startManualSubmission(of.reviewer, of);
  return of;
};
const released = async () => {
  const of = await held();
  const seen = { gateId: of.gateId, revision: Number(of.revision), digest: of.digest };
  await releaseGate(of.reviewer, { taskId: of.taskId, seen });
  return of;
};
const answered = async (answer: Parameters<typeof anAnsweredTask>[1]) => {
  const { seen, ...of } = await anAnsweredTask(store, answer);
  return { ...of, gateId: seen.gateId };
};
const transmitted = () => answered({ type: "accepted", reference: "REF-1" });
const unconfirmed = () => answered({ type: "unknown", reason: "No answer." });
const refused = () => answered({ type: "decided", determination: denied });
const decided = () => answered({ type: "decided", determination: approved });

const [zone, evidence] = ["UTC", "A letter"];
/** This minute, which is not before what left in it: a form that is filled in takes it anew. */
const inquiredAt = () => new Date().toISOString().slice(0, 16);
const stated = {
  requestedRevision: "1",
  zone,
  learnedBy: "letter",
  learnedFrom: "Kim",
  evidence,
  note: "n",
  howToAppeal: "h",
};
const line = { "line-1-action": "A6", "line-1-code": "72148", "line-1-quantity": "1", "line-1-number": "N-1" };

type Make = () => Promise<{ reviewer: Parameters<typeof decideCase>[0]; taskId: string }>;

/** Each decision with the case it can be made on, and a form that is in order but for what the test puts into it. */
const forms: readonly (readonly [Possible, Make, Readonly<Record<string, string>>])[] = [
  ["release", held, { why: "w", shown: "a b" }],
  ["decline", held, { code: "duplicate", reason: "r" }],
  ["request-information", held, { question: "q", "field:/patient/birthDate": "on" }],
  ["edit", held, { "value:/patient/lastName": "Other", "value:/nowhere": "x" }],
  ["withdraw-vote", held, {}],
  ["recall", released, {}],
  ["start-manual-submission", manual, {}],
  ["report-sent", submitting, { delivery: "phone", to: "t", reference: "R", zone }],
  ["report-refused", submitting, { reason: "r" }],
  ["report-not-sent", submitting, { reason: "r" }],
  [
    "resolve-unconfirmed",
    unconfirmed,
    { payerHas: "yes", reference: "R", whom: "w", inquiredBy: "phone", inquiredAt: "", reply: "r", zone },
  ],
  ["record-determination", transmitted, { ...stated, outcome: "by-line", authorizationNumber: "A-1", ...line }],
  ["record-determination", transmitted, { ...stated, outcome: "denied", reasons: "0F" }],
  ["record-information-request", transmitted, { informationRequest: "i" }],
  ["record-voided", transmitted, { evidence }],
  ["record-void-refused", decided, { reason: "r" }],
  ["record-appeal-terms", refused, { by: "2099-01-31", how: "h", evidence }],
  ["record-peer-to-peer", refused, { status: "requested", clinician: "c", counterpart: "d", note: "n", zone }],
  ["accept-determination", refused, { reason: "r" }],
  ["attend", unconfirmed, {}],
  ["adopt", held, {}],
];

describe("a form with what no page of ours puts into it is answered, and fails nothing:", () => {
  test.each(forms)("%s", { timeout: 60_000 }, async (intent, make, fields) => {
    const failed: unknown[] = [];
    const names = ["taskId", "gateId", "revision", "digest", "key", ...Object.keys(fields)];
    for (const name of names)
      for (const [what, value] of nasty) {
        const { reviewer, ...of } = await make();
        const own = Object.entries(of).filter((entry): entry is [string, string] => typeof entry[1] === "string");
        const timed = "inquiredAt" in fields ? { inquiredAt: inquiredAt() } : {};
        const form = { ...Object.fromEntries(own), key: crypto.randomUUID(), ...fields, ...timed, [name]: value };
        const posted = Object.entries({ ...form, intent }).map(([field, text]) => [field, [text]]);
        const read = decision.safeParse(Object.fromEntries(posted));
        if (!read.success) continue;
        await decideCase(reviewer, read.data).catch((error: unknown) => failed.push([name, what, String(error)]));
      }
    expect(failed).toEqual([]);
  });
});
