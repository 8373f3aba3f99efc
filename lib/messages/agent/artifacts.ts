import { progressText } from "#lib/messages/progress-text";
import { isPartlyAuthorized, progressOf } from "#lib/task/model/authorization-progress";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { Action, Outcome } from "#lib/task/model/task";
import type { DeterminationView, SubmissionView } from "#lib/task/views";

type Heading = { readonly name: string; readonly description: string };

/** What agents read above each artifact of a task. */
export const artifactHeadings = {
  determination: { name: "Determination", description: "What the payer decided." },
  voided: {
    name: "Determination, voided",
    description: "What the payer decided before the void. It is no longer in force.",
  },
  superseded: (version: number): Heading => ({
    name: `Determination, version ${version}, superseded`,
    description: "An earlier determination of the payer. It is no longer in force.",
  }),
  informationRequest: { name: "Information request", description: "What the payer asks for before it decides." },
  receipt: {
    transmit: { name: "Receipt", description: "What was last sent to the payer." },
    void: { name: "Receipt of the void", description: "The void that was last sent." },
  } satisfies Record<Action, Heading>,
  voidResult: { name: "Void", description: "The outcome of the void." },
} as const;

/** An artifact of the test environment is marked as such. */
export const testText = (text: string): string => `TEST: ${text}`;

const outcomes: Readonly<Record<Outcome, string>> = {
  approved: "The payer approved it",
  modified: "The payer approved it with changes",
  "partially-approved": "The payer approved a part of it",
  denied: "The payer denied it",
  "not-required": "The payer says that no authorization is required",
};

export function determinationText({
  outcome,
  authorizationNumber: number,
  validFrom,
  validTo,
  lines,
}: DeterminationView): string {
  const under = number === undefined ? "" : ` under ${number}`;
  const valid = validFrom || validTo ? `, valid ${validFrom ?? "at once"} to ${validTo ?? "no named end"}` : "";
  const parts = progressOf(lines).filter(isPartlyAuthorized).map(progressText);
  return [`${outcomes[outcome]}${under}${valid}.`, ...parts.map((part) => `${part}.`)].join(" ");
}

/** A determination that is no longer in force. */
export const supersededText = (determination: DeterminationView): string =>
  `Superseded, not in force: ${determinationText(determination)}`;

/** A determination of a request that is void. */
export const voidedText = (determination: DeterminationView): string =>
  `Voided, not in force: ${determinationText(determination)}`;

/** A determination on an earlier revision than the one the agent sent last. */
export const earlierRevisionText = (determination: DeterminationView, latest: number): string =>
  `For revision ${determination.revision}, not for revision ${latest}: ${determinationText(determination)}`;

export function informationRequestText({ text, items, dueBy }: InformationRequest): string {
  const named = items.map(({ kind, code, label }) => label ?? code?.value ?? kind);
  const list = named.length > 0 ? ` It names: ${named.join("; ")}.` : "";
  return `The payer says: ${text}${list}${dueBy === undefined ? "" : ` It is due by ${dueBy}.`}`;
}

const results = {
  received: "the payer has it",
  refused: "the payer rejected it",
  "not-received": "the payer has no record of it",
  unconfirmed: "it is not known whether the payer has it",
} as const satisfies Record<SubmissionView["result"], string>;

const deliveries = { portal: " in the payer's portal", phone: " by phone", fax: " by fax" } as const;

type SentFacts = Pick<
  SubmissionView,
  "action" | "update" | "sentAt" | "result" | "traceNumber" | "manual" | "delivery"
>;

export function receiptText({ action, update, sentAt, result, traceNumber, manual, delivery }: SentFacts): string {
  const what = action === "void" ? "The void" : update ? "The update" : "The request";
  const by = delivery ? deliveries[delivery] : "";
  const how = manual ? `was submitted manually${by}` : "was sent";
  return `${what} ${how} at ${sentAt.toISOString()} under trace number ${traceNumber}; ${results[result]}.`;
}

type VoidFacts = {
  readonly result: "done" | "pending" | "refused" | "declined" | "expired";
  readonly by?: "practice" | "payer" | undefined;
  readonly reason?: string | undefined;
};

export function voidText({ result, by, reason }: VoidFacts): string {
  const because = reason === undefined ? "" : ` It says: ${reason}`;
  switch (result) {
    case "done":
      return by === "payer" ? "The payer voided it without being asked." : "The payer voided it, as asked.";
    case "pending":
      return "A void is under way.";
    case "refused":
      return `The payer refused to void it.${because}`;
    case "declined":
      return "A reviewer declined to send the void.";
    case "expired":
      return "The void expired before a reviewer decided on it.";
  }
}
