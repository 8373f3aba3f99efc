import assert from "node:assert/strict";
import type { Bundle } from "fhir/r4";
import type { Build, Call, PriorSubmission } from "#lib/payer/connector";
import { build } from "#lib/payer/pas-fhir/build";
import { inquiry, type Example } from "#lib/payer/pas-fhir/inquiry";

/** The bundle an action is built as. */
export function bundleOf(from: Build): Bundle {
  return bundleIn(callOf(from));
}

/** The bundle of an inquiry about what an action sent, which has its number of the payer. */
export function inquiryAbout(from: Build, example: Example = "request"): Bundle {
  return bundleIn(
    inquiry({
      sent: callOf(from),
      destination: from.destination,
      payerReference: "R1",
      trace: "inquiry-1",
      example,
    }),
  );
}

function callOf(from: Build): Call {
  const [call, ...more] = build(from);
  assert(call && more.length === 0, "a PAS action is one call");
  return call;
}

function bundleIn({ body }: Call): Bundle {
  return JSON.parse(Buffer.from(body).toString("utf8")) as Bundle;
}

/** What was sent so far, after this as well. */
function andSent(from: Build): readonly PriorSubmission[] {
  return [...from.sent, { action: from.action, revision: from.revision, calls: build(from) }];
}

/** The next revision of a case the payer has. */
export function updateOf(
  from: Build,
  members: Partial<Pick<Build, "review" | "attachments" | "informationRequest">> = {},
): Build {
  return {
    ...from,
    update: true,
    revision: from.revision + 1,
    openedAt: new Date(from.openedAt.getTime() + 60_000),
    sent: andSent(from),
    ...members,
  };
}

/** The void of a case the payer has. */
export function voidOf(from: Build, reason = "The patient moved."): Build {
  return {
    ...from,
    action: "void",
    update: false,
    sent: andSent(from),
    reason,
  };
}
