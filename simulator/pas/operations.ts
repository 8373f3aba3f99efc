import type { Case } from "#simulator/core/case";
import type { Message } from "#simulator/core/ledger";
import type { Payer } from "#simulator/core/payer";
import type { Item, SentMessage } from "#simulator/core/review";
import type { Node } from "#simulator/json";
import type { Change } from "./change-rules.ts";
import { memberIdOf } from "./party-rules.ts";
import { echoOf, faceName, requestedNumbers, inquiryOf, reviewOf, sentOf } from "./read-request.ts";
import type { Problem, Request } from "./request.ts";
import { operationOutcome } from "./outcome.ts";
import { inquiryAnswer, responseBundle } from "./response.ts";
import { rowProblems, rowsOf, type Row } from "./row-rules.ts";
import { checkInquiry, checkSubmission } from "./rules.ts";
import type { PasVersion } from "./version.ts";

/** What a PAS operation answers: a resource, and whether the request was taken. */
export type Result = {
  readonly status: number;
  readonly body: Node | undefined;
  readonly accepted: boolean;
  /** The address of what was created. */
  readonly location?: string;
};

/** A body that is JSON, with the SHA-256 of its bytes, and the version it is read by. */
export type Body = { readonly value: unknown; readonly sha256: string; readonly version: PasVersion };

/** `Claim/$submit`: a PAS request bundle → a PAS response bundle. A first request, an update or the end of one. */
export function submit(payer: Payer, { value, sha256, version }: Body): Result {
  const checked = checkSubmission(value, version);
  if (!checked.ok) return refused(422, checked.problems);
  const { request, change } = checked;
  const sent = sentOf(request, sha256);
  const received = change ? takeChange(payer, { request, change, sent }) : payer.receive(reviewOf(request), sent);
  switch (received.type) {
    case "case":
      return accepted(responseBundle(received, payer.clock.now()));
    case "refused":
      return refused(422, received.problems);
    case "conflict":
      return refused(409, [{ code: "conflict", at: "Bundle.identifier", text: "was used before, with other content" }]);
  }
}

/**
 * `Claim/$inquire`: an inquiry bundle → what the payer has of exactly this
 * member, of the case whose number the example gives, and with the services and
 * days that it gives. The example's own trace number names the inquiry and finds
 * nothing (PAS "Prior Authorization Inquiries": a specific claim is asked for by
 * the payer's number for it).
 */
export function inquire(payer: Payer, { value, sha256, version }: Body): Result {
  const checked = checkInquiry(value, version);
  if (!checked.ok) return refused(422, checked.problems);
  const { request } = checked;
  payer.noteInquiry(inquiryOf(request, sha256));
  const found = payer
    .find({ numbers: requestedNumbers(request), memberId: memberIdOf(request), face: faceName })
    .filter(({ review }) => exampleItems(request).every((item) => review.items.some((each) => isLike(each, item))))
    .flatMap((of) => currentOf(payer, of));
  return accepted(inquiryAnswer(found, { request, at: payer.clock.now() }));
}

/** The items that ask for a service; "not-applicable" asks for any. */
function exampleItems(request: Request): readonly Item[] {
  return reviewOf(request).items.filter(({ code }) => code !== "not-applicable");
}

function isLike(has: Item, { code, from, to }: Item): boolean {
  return has.code === code && (from === undefined || has.from === from) && (to === undefined || has.to === to);
}

type Taking = { readonly request: Request; readonly change: Change; readonly sent: SentMessage };
type TakenRequest = ReturnType<Payer["update"]> | { readonly type: "refused"; readonly problems: readonly Problem[] };

function takeChange(payer: Payer, { request, change, sent }: Taking): TakenRequest {
  const take = (of: Case) => (change.cancelsAll ? payer.void(of, sent) : payer.update(of, reviewOf(request), sent));
  // A message that came before is answered again, whatever changed since.
  const before = payer.taken({ face: faceName, identity: sent.identity ?? "" });
  if (before) return take(before.case);
  const known = knownVersion(payer, { request, change });
  if (!known)
    return { type: "refused", problems: [{ code: "not-found", at: placeOf(request), text: "is not known here" }] };
  const problems = priorProblems(payer, { request, change, known });
  return problems.length > 0 ? { type: "refused", problems } : take(known.case);
}

/** A case with the last message that changed it, or was taken and is refused since. */
export function currentOf(payer: Payer, of: Case): readonly Version[] {
  return payer
    .messagesOf(of)
    .filter(({ rejection, identity }) => (of.refusal ? identity === of.refusal.identity : rejection === undefined))
    .slice(-1)
    .map((message) => ({ case: of, message }));
}

export type Version = { readonly case: Case; readonly message: Message };

/** The version of a case that a change is made on: the newest this payer has under the trace numbers it names. */
function knownVersion(payer: Payer, { request, change }: Pick<Taking, "request" | "change">): Version | undefined {
  const { prior, traces } = change;
  // A change may correct the member; the version before tells whose it was.
  const memberId = memberIdOf(prior ? { ...request, claim: prior.resource, claimUrl: prior.fullUrl } : request);
  return payer
    .find({ numbers: traces, memberId, face: faceName })
    .filter(({ state }) => state !== "rejected")
    .flatMap((of) => versionsOf(payer, of).map((message) => ({ case: of, message })))
    .findLast(({ message }) => message.trace !== undefined && traces.includes(message.trace));
}

function versionsOf(payer: Payer, of: Case): readonly Message[] {
  return payer.messagesOf(of).filter(({ kind, rejection }) => kind !== "void" && rejection === undefined);
}

/** The version that is changed must be the newest, as it was sent; 2.0.1 may leave it out, and the change is held against ours. */
function priorProblems(
  payer: Payer,
  { request, change, known }: Pick<Taking, "request" | "change"> & { readonly known: Version },
): readonly Problem[] {
  const at = placeOf(request);
  const newest = versionsOf(payer, known.case).at(-1);
  if (newest?.identity !== known.message.identity)
    return [{ code: "conflict", at, text: "is not the newest version: update that one" }];
  const echo = echoOf(known.message);
  const prior = change.prior && { claim: change.prior.resource, from: change.prior.fullUrl };
  return (["item", "supportingInfo"] as const).flatMap((name) => {
    if (prior && !isSame(rowsOf(request, name, prior), echo[name]))
      return [{ code: "conflict" as const, at, text: `differs in ${name} from what was sent` }];
    if (prior) return [];
    const { version } = request;
    return rowProblems({ name, rows: rowsOf(request, name), before: echo[name], cancelsAll: false, version });
  });
}

function isSame(rows: readonly Row[], others: readonly Row[]): boolean {
  return (
    rows.length === others.length &&
    rows.every((row) =>
      others.some(
        (other) =>
          other.sequence === row.sequence && other.digest === row.digest && other.isCancelled === row.isCancelled,
      ),
    )
  );
}

function placeOf({ claim }: Request): string {
  return "related" in claim ? "Claim.related[0].claim" : "Claim.identifier";
}

function accepted(body: Node): Result {
  return { status: 200, body, accepted: true };
}

function refused(status: number, problems: readonly Problem[]): Result {
  return { status, body: operationOutcome(problems), accepted: false };
}
