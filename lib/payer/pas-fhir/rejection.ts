import { pasReasons, rejectReasons } from "#lib/messages/reasons/pas-reply";
import { replyReasons } from "#lib/messages/reasons/payer-reply";
import type { PayerAnswer } from "#lib/payer/connector";
import { extensionOf, type Branch, type ClaimResponse, type Outcome } from "./resources.ts";
import { extensions } from "./vocabulary.ts";

type Correction = Extract<PayerAnswer, { type: "rejected" }>["correction"];

/**
 * X12 889 follow-up codes (AAA04), in our own words, the strictest first: a refusal with several errors counts as its strictest
 * one. A payer that keeps the request (Y, S) has it, and submitting it again would create a second one.
 */
const followUps = [
  { codes: ["N"], means: "final" },
  { codes: ["C", "R"], means: "correctable" },
  { codes: ["Y", "S"], means: "held" },
  { codes: ["P"], means: "try-again" },
] as const satisfies readonly { codes: readonly string[]; means: Correction | "held" }[];

/**
 * The correction of a refusal that arrives after the request was accepted. The release is used up then, so the agent must
 * request it again even if the bytes stay the same.
 */
export const correctionAfterAcceptance = {
  final: "final",
  correctable: "correctable",
  "try-again": "correctable",
} as const satisfies Record<Correction, Correction>;

/**
 * What the errors of a response ask for (X12 AAA). "Not processed" is not a
 * denial. An error without a follow-up code is for the sender to correct; a
 * code nobody knows makes the answer unknown.
 */
export function rejectionOf(errors: NonNullable<ClaimResponse["error"]>): PayerAnswer {
  const read = errors.map(({ code, extension }) => ({
    reject: safeCode(code.coding?.find((each) => each.code !== undefined)?.code),
    followUp: extensionOf(extension, extensions.errorFollowupAction)?.valueCodeableConcept?.coding?.[0]?.code,
    path:
      safePath(extensionOf(extension, extensions.errorPath)?.valueString) ??
      safeElement(extensionOf(extension, extensions.errorElement)),
  }));
  const given = read.flatMap(({ followUp }) => (followUp === undefined ? [] : [followUp]));
  const reason = replyReasons.notProcessed(read.slice(0, 5).map(errorText).join("; "));
  const known = followUps.flatMap(({ codes }) => codes).map(String);
  if (!given.every((code) => known.includes(code)))
    return { type: "unknown", reason: pasReasons.followUpUnknown(reason) };
  const worst = followUps.find(({ codes }) => codes.some((code) => given.includes(code)))?.means ?? "correctable";
  return worst === "held" ? { type: "accepted" } : { type: "rejected", correction: worst, reason };
}

/** Where an OperationOutcome points, as issue codes and element paths; its text may hold member data and is left out. */
export function issuesOf({ issue }: Outcome): string {
  return issue
    .slice(0, 5)
    .map(({ code, expression }) =>
      [
        /^[a-z-]{1,40}$/.test(code) ? code : "error",
        ...(expression ?? []).flatMap((path) => safePath(path) ?? []).slice(0, 1),
      ].join(" at "),
    )
    .join("; ");
}

/** What is wrong in words, as far as there are some, and behind it the codes and the place. */
function errorText({
  reject,
  followUp,
  path,
}: {
  reject: string;
  followUp: string | undefined;
  path: string | undefined;
}): string {
  const code = `AAA ${reject}`;
  const label = Object.hasOwn(rejectReasons, reject) ? rejectReasons[reject] : undefined;
  const details = [
    ...(label === undefined ? [] : [code]),
    ...(followUp ? [`follow-up ${safeCode(followUp)}`] : []),
    ...(path ? [`at ${path}`] : []),
  ];
  return details.length === 0 ? code : `${label ?? code} (${details.join(", ")})`;
}

function safeCode(code: string | undefined): string {
  return code !== undefined && /^[A-Z0-9]{1,4}$/.test(code) ? code : pasReasons.codeUnknown;
}

/** X12's own name for a place, such as 2010A-NM103, where there is no path (PAS 2.0.1 knows nothing else). */
function safeElement(element: Branch | undefined): string | undefined {
  const name = element?.valueString ?? extensionOf(element?.extension, "error")?.valueString;
  return name !== undefined && /^\d{4}[A-Z]{0,2}(?:-[A-Z0-9]{2,8})?$/.test(name) ? name : undefined;
}

/** An element path; anything else might be a value and is dropped. */
function safePath(path: string | undefined): string | undefined {
  return path !== undefined &&
    path.length <= 200 &&
    /^[A-Z]?[A-Za-z]*(?:\[\d{1,3}\])?(?:\.[a-zA-Z]+(?:\[\d{1,3}\])?)+$/.test(path)
    ? path
    : undefined;
}
