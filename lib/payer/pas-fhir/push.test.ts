import { describe, expect, test } from "vitest";
import type { Call, Inquiry } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { exampleBytes } from "#test/support/payer/pas/example";
import { notification, replyAs } from "#test/support/payer/pas/push";
import { responseIn, type Json } from "#test/support/payer/pas/reply";
import { pasFhir } from "./connector.ts";
import { readPush as readPushed } from "./push.ts";

const first = aBuild({
  review: aReview({ subscriber: { memberId: "M-PEND" } }),
});
const [request] = pasFhir.build(first) as [Call];
/** The same case once more, as an update leaves: a request of its own, with the same items. */
const [update] = pasFhir.build({ ...first, revision: 2 }) as [Call];

const readPush = (body: Uint8Array) => {
  const read = readPushed(body);
  if (!read.ok) throw new Error(read.refusal);
  return read.value;
};
const meant = (found: Inquiry) => (found.type === "match" ? found.answer.type : found.type);

describe("a notification", () => {
  test("like the official one is found by its trace number", () => {
    const { answers } = readPush(exampleBytes("2.2.1/Bundle-PASSubscriptionNotification"));
    expect(answers.map(({ traces }) => traces)).toEqual([["111099"]]);
  });

  test("with a decision matches the case it names and no other", () => {
    const pushed = readPush(notification(replyAs(request, "A1", "2026-12-02T10:00:00Z")));
    expect(pushed.answers).toMatchObject([{ traces: [`${first.taskId}-1-T`] }]);
    expect(meant(pushed.match([request], false))).toBe("decided");
    const [other] = pasFhir.build({
      ...first,
      taskId: "019335d2-7a1c-7c3d-8a4b-000000000000",
    }) as [Call];
    expect(meant(pushed.match([other], false))).toBe("none");
  });

  test("with two states of one case says the later one, in whatever order they come", () => {
    const pended = replyAs(request, "A4", "2026-12-02T10:00:00Z");
    const decided = replyAs(request, "A3", "2026-12-03T10:00:00Z");
    for (const both of [
      [pended, decided],
      [decided, pended],
    ])
      expect(meant(readPush(notification(...both)).match([request], false))).toBe("decided");
    const same = replyAs(request, "A1", "2026-12-03T10:00:00Z");
    expect(meant(readPush(notification(same, decided)).match([request], false))).toBe("unknown");
  });

  test("that still names the first request speaks of the update that stands, unless the update is in doubt", () => {
    const pushed = readPush(notification(replyAs(request, "A1", "2026-12-02T10:00:00Z")));
    expect(meant(pushed.match([request, update], false))).toBe("decided");
    expect(meant(pushed.match([request, update], true))).toBe("none");
    const named = readPush(notification(replyAs(update, "A1", "2026-12-02T10:00:00Z")));
    expect(meant(named.match([request, update], true))).toBe("decided");
  });

  test("that refuses what was taken says which request, when, and what to do", () => {
    const refusing = aBuild({
      review: aReview({ subscriber: { memberId: "M-AAA-P" } }),
    });
    const [refused] = pasFhir.build(refusing) as [Call];
    const [earlier] = pasFhir.build({ ...refusing, revision: 2 }) as [Call];
    const pushed = readPush(notification(replyAs(refused, "A1", "2026-12-02T10:00:00Z")));
    const found = pushed.match([earlier, refused], false);
    expect(found).toMatchObject({
      type: "rejected",
      correction: "correctable",
      at: new Date("2026-12-02T10:00:00Z"),
    });
    expect(found.type === "rejected" && found.of).toBe(refused);
  });

  test("that says it is live data moves no test case; one that says nothing of it does", () => {
    const marked = (word: string) =>
      JSON.parse(JSON.stringify(replyAs(request, "A1", "2026-12-02T10:00:00Z")).replaceAll("HTEST", word)) as Json;
    expect(meant(readPush(notification(marked("production"))).match([request], false))).toBe("unknown");
    expect(meant(readPush(notification(marked("OTHER"))).match([request], false))).toBe("decided");
  });

  test("that names the payer's reference alone speaks of the request that stands, if it fits that one and no doubt is open", () => {
    const reply = namelessReply(request, "REF-7");
    const pushed = readPush(notification(reply));
    expect(pushed.answers).toMatchObject([{ request: undefined, references: expect.arrayContaining(["REF-7"]) }]);
    expect(meant(pushed.match([request], false, "REF-7"))).toBe("decided");
    expect(meant(pushed.match([request], false, "REF-8"))).toBe("none");
    expect(meant(pushed.match([request], false))).toBe("none");
    const elsewhere = namelessReply(request, "REF-7");
    responseIn(elsewhere)["patient"] = { identifier: { value: "SOMEBODY-ELSE" } };
    expect(meant(readPush(notification(elsewhere)).match([request], false, "REF-7"))).toBe("unknown");
    responseIn(reply)["request"] = { reference: "urn:uuid:019335d2-7a1c-4c3d-8a4b-000000000000" };
    expect(meant(readPush(notification(reply)).match([request], false, "REF-7"))).toBe("unknown");
  });

  test("that is a handshake speaks of no case", () => {
    const pushed = readPush(notification());
    expect(pushed).toMatchObject({ answers: [], hasUnreadable: false });
    expect(pushed.match([request], false)).toEqual({ type: "none" });
  });

  test.each<[string, object[]]>([
    ["a response bundle without its ClaimResponse", [{ resourceType: "Bundle", type: "collection", entry: [] }]],
    ["another resource alone", [{ resourceType: "Task", status: "completed" }]],
  ])("with %s brings what cannot be read", (_, resources) => {
    expect(readPush(notification(...(resources as Json[])))).toMatchObject({ answers: [], hasUnreadable: true });
  });

  test("with what may change its meaning, or with an error beside its decision, is for a reviewer", () => {
    const reply = replyAs(request, "A1", "2026-12-02T10:00:00Z");
    const whole = JSON.parse(notification(reply).toString("utf8")) as Json & { entry: Json[] };
    const modifierExtension = [{ url: "https://payer.test/not-in-force", valueBoolean: true }];
    for (const changed of [
      { ...whole, implicitRules: "https://payer.test/rules" },
      { ...whole, entry: whole.entry.map((entry) => ({ ...entry, modifierExtension })) },
    ])
      expect(readPush(Buffer.from(JSON.stringify(changed)))).toMatchObject({ answers: [], hasUnreadable: true });
    const error = { resourceType: "OperationOutcome", issue: [{ severity: "error", code: "processing" }] };
    expect(readPush(notification(reply))).toMatchObject({ hasUnreadable: false });
    expect(readPush(notification(reply, error))).toMatchObject({ answers: [{}], hasUnreadable: true });
  });

  test("in the form of FHIR R4B, with a SubscriptionStatus, is read as one of the R4 backport", () => {
    const pushed = (type: string, status: string) => {
      const resource = { resourceType: "SubscriptionStatus", status, type, subscription: {} };
      const body = { resourceType: "Bundle", type: "subscription-notification", entry: [{ resource }] };
      return readPush(Buffer.from(JSON.stringify(body)));
    };
    expect(pushed("handshake", "requested")).toMatchObject({ isHint: false, isEnded: false, hasUnreadable: false });
    expect(pushed("event-notification", "active")).toMatchObject({ isHint: true, isEnded: false });
    expect(pushed("heartbeat", "off")).toMatchObject({ isHint: false, isEnded: true });
  });

  const bare = responseIn(replyAs(request, "A1", "2026-12-02T10:00:00Z"));
  test.each<[string, Uint8Array, RegExp]>([
    ["no JSON", Buffer.from("{"), /not JSON/],
    ["another resource", Buffer.from('{"resourceType":"Patient"}'), /not a notification/],
    ["a name of JavaScript's own", Buffer.from('{"resourceType":"constructor"}'), /not a notification/],
    ["nothing", new Uint8Array(), /not JSON/],
    ["nesting without end", Buffer.from("[".repeat(100_000)), /not JSON/],
    ["a ClaimResponse", Buffer.from(JSON.stringify(bare)), /inside its PAS response Bundle/],
    ["a ClaimResponse as an entry", notification(bare), /inside its PAS response Bundle/],
    ["a history without a status", Buffer.from('{"resourceType":"Bundle","type":"history","entry":[]}'), /status/],
  ])("that is %s is refused, and why", (_, body, why) => {
    expect(readPushed(body)).toEqual({ ok: false, refusal: expect.stringMatching(why) });
  });
});

/** A decision that names neither our trace number nor our Claim. */
function namelessReply(call: Call, reference: string): Json {
  const reply = replyAs(call, "A1", "2026-12-02T10:00:00Z");
  const response = responseIn(reply);
  delete response["identifier"];
  delete response["request"];
  response["preAuthRef"] = reference;
  delete reply["identifier"];
  return reply;
}
