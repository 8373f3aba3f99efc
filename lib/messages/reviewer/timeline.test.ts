import { expect, test } from "vitest";
import { timelineSteps } from "./timeline.ts";

const textsOf = (acts: readonly string[], outcome = "approved") =>
  timelineSteps(acts.map((act) => ({ act, detail: act === "payer.decided" ? { outcome } : {} }))).map(
    ({ text }) => text,
  );

test("the timeline names what the payer asked for, and whether it is known what became of a submission", () => {
  expect(
    textsOf([
      ...["task.opened", "gate.opened", "gate.released", "transmission.accepted", "payer.requested-information"],
      ...["payer.requested-contact", "payer.decided"],
    ]),
  ).toEqual([
    ...["Received", "Released", "Submitted", "Pended: information requested", "Payer asks to be contacted", "Approved"],
  ]);
  expect(textsOf(["transmission.outcome-unknown", "transmission.resolved"])).toEqual([
    "Submission status unknown",
    "Submission status recorded",
  ]);
});

test("the timeline tells the release of an update and of a void from that of the first request", () => {
  expect(
    textsOf([
      ...["task.opened", "task.amended", "gate.released", "transmission.accepted", "payer.decided"],
      ...["task.amended", "gate.released", "transmission.accepted", "payer.decided"],
      ...["void.requested", "gate.released", "transmission.accepted", "payer.voided"],
    ]),
  ).toEqual([
    ...["Received", "New revision", "Released", "Submitted", "Approved"],
    ...["New revision", "Update released", "Update submitted", "Approved"],
    ...["Void requested", "Void released", "Void submitted", "Voided"],
  ]);
  expect(textsOf(["task.opened", "gate.released", "void.requested", "gate.declined"])).toEqual([
    ...["Received", "Released", "Void requested", "Void declined"],
  ]);
});

test("the timeline says where the service held a released request again", () => {
  expect(textsOf(["task.opened", "gate.released", "gate.re-held", "gate.released"])).toEqual([
    ...["Received", "Released", "Held again, not submitted", "Released"],
  ]);
});
