import { describe, expect, test } from "vitest";
import type { Call, Inquiry } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/pas/build";
import { exampleBytes } from "#test/pas/example";
import { notification, replyAs } from "#test/pas/push";
import type { Json } from "#test/pas/reply";
import { pasFhir } from "./connector.ts";
import { readPush } from "./push.ts";

const first = aBuild({ review: aReview({ subscriber: { memberId: "M-PEND" } }) });
const [request] = pasFhir.build(first) as [Call];
/** The same case once more, as an update leaves: a request of its own, with the same items. */
const [update] = pasFhir.build({ ...first, revision: 2 }) as [Call];

const meant = (found: Inquiry) => (found.type === "match" ? found.answer.type : found.type);

describe("a notification", () => {
  test("like the official one is found by its trace number", () => {
    expect(readPush(exampleBytes("2.2.1/Bundle-PASSubscriptionNotification")).traces).toEqual(["111099"]);
  });

  test("with a decision matches the case it names and no other", () => {
    const pushed = readPush(notification(replyAs(request, "A1", "2026-12-02T10:00:00Z")));
    expect(pushed.traces).toEqual([`${first.taskId}-1-T`]);
    expect(meant(pushed.match([request], false))).toBe("decided");
    const [other] = pasFhir.build({ ...first, taskId: "019335d2-7a1c-7c3d-8a4b-000000000000" }) as [Call];
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
    const refusing = aBuild({ review: aReview({ subscriber: { memberId: "M-AAA-P" } }) });
    const [refused] = pasFhir.build(refusing) as [Call];
    const [earlier] = pasFhir.build({ ...refusing, revision: 2 }) as [Call];
    const pushed = readPush(notification(replyAs(refused, "A1", "2026-12-02T10:00:00Z")));
    const found = pushed.match([earlier, refused], false);
    expect(found).toMatchObject({ type: "rejected", correction: "correctable", at: new Date("2026-12-02T10:00:00Z") });
    expect(found.type === "rejected" && found.of).toBe(refused);
  });

  test("without the test marker moves no test case", () => {
    const bare = JSON.parse(
      JSON.stringify(replyAs(request, "A1", "2026-12-02T10:00:00Z")).replaceAll("HTEST", "OTHER"),
    ) as Json;
    expect(meant(readPush(notification(bare)).match([request], false))).toBe("unknown");
  });

  test.each<[string, Uint8Array]>([
    ["a handshake", notification()],
    ["no JSON", Buffer.from("{")],
    ["another resource", Buffer.from('{"resourceType":"Patient"}')],
    ["nothing", new Uint8Array()],
    ["nesting without end", Buffer.from("[".repeat(100_000))],
  ])("that is %s speaks of no case", (_, body) => {
    expect(readPush(body).traces).toEqual([]);
    expect(readPush(body).match([request], false)).toEqual({ type: "none" });
  });
});
