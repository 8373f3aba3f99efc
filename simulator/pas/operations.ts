import type { Payer } from "#simulator/core/payer";
import type { Node } from "#simulator/json";
import { memberIdOf } from "./party-rules.ts";
import { inquiryNumbers, inquiryOf, reviewOf, sentOf } from "./read-request.ts";
import { inquiryParameters, operationOutcome, responseBundle } from "./response.ts";
import { checkInquiry, checkSubmission } from "./rules.ts";

/** What a PAS operation answers: a resource, and whether the request was taken. */
export type Result = { readonly status: number; readonly body: Node; readonly accepted: boolean };

/** `Claim/$submit`: a PAS request bundle → a PAS response bundle. */
export function submit(payer: Payer, value: unknown, sha256: string): Result {
  const checked = checkSubmission(value);
  if (!checked.ok) return refused(422, operationOutcome(checked.problems));
  const received = payer.receive(reviewOf(checked.request), sentOf(checked.request, sha256));
  if (received.type === "case") return accepted(responseBundle(received, payer.clock.now()));
  const text = "A request with this Bundle.identifier and other content is already here.";
  return refused(409, operationOutcome([{ code: "duplicate", text }]));
}

/** `Claim/$inquire`: an inquiry bundle → what the payer has of exactly this member by any number the example names. */
export function inquire(payer: Payer, value: unknown, sha256: string): Result {
  const checked = checkInquiry(value);
  if (!checked.ok) return refused(422, operationOutcome(checked.problems));
  const { request } = checked;
  payer.noteInquiry(inquiryOf(request, sha256));
  const found = payer
    .find({ numbers: inquiryNumbers(request), memberId: memberIdOf(request), face: "pas" })
    .flatMap((of) =>
      payer
        .messagesOf(of)
        .slice(-1)
        .map((message) => ({ case: of, message })),
    );
  return accepted(inquiryParameters(found, payer.clock.now()));
}

function accepted(body: Node): Result {
  return { status: 200, body, accepted: true };
}

function refused(status: number, body: Node): Result {
  return { status, body, accepted: false };
}
