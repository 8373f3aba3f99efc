import type { Action, Outcome } from "#lib/task/model/task";
import type { InformationRequest } from "#lib/task/model/information-request";
import type { DeterminationView, SubmissionView, TaskRecord } from "#lib/task/views";
import { determinationData, determinationView } from "./determination-data.ts";
import { voidResult, type VoidResult } from "./void-result.ts";

type Environment = TaskRecord["environment"];

/** One result of a task as A2A has it: the same facts as data, and in a sentence. */
type Artifact = {
  readonly artifactId: string;
  readonly name: string;
  readonly description: string;
  readonly parts: readonly [{ readonly kind: "data"; readonly data: object }, { readonly kind: "text"; text: string }];
  readonly metadata: { readonly environment: Environment };
};

type Told = Pick<Artifact, "artifactId" | "name" | "description"> & {
  readonly data: object;
  readonly text: string;
  /** Where this came about; the task may have moved since. */
  readonly environment: Environment;
};

/**
 * What a task has brought so far. An artifact keeps its id for as long as the
 * task lives; the determination in force stands before those it superseded.
 */
export function artifactViews(record: TaskRecord): readonly Artifact[] {
  return [
    ...determinationArtifacts(record),
    ...informationRequestArtifacts(record),
    ...record.sendings.map(receiptArtifact),
    ...voidResultArtifacts(record),
  ].map(artifact);
}

function artifact({ data, text, environment, ...named }: Told): Artifact {
  const sentence = environment === "test" ? `TEST: ${text}` : text;
  return {
    ...named,
    parts: [
      { kind: "data", data: { ...data, environment } },
      { kind: "text", text: sentence },
    ],
    metadata: { environment },
  };
}

function determinationArtifacts(record: TaskRecord): readonly Told[] {
  const { determination, superseded } = record;
  const data = determinationView(record);
  if (!determination || !data) return [];
  const inForce: Told = {
    artifactId: "determination",
    name: "Determination",
    description: "What the payer decided.",
    data,
    text: determinationText(determination),
    environment: determination.environment,
  };
  return [inForce, ...superseded.map((before, index) => supersededArtifact(record, before, index))];
}

/** One that is no longer in force, under an id of its own that says which it was. */
function supersededArtifact({ determination, superseded }: TaskRecord, before: DeterminationView, index: number): Told {
  const version = superseded.length - index;
  const by = superseded[index - 1] ?? determination;
  return {
    artifactId: `determination-${version}`,
    name: `Determination, version ${version}, superseded`,
    description: "What the payer had decided before. It is not in force.",
    data: { ...determinationData(before, version), supersededBy: by?.id },
    text: `Superseded, not in force: ${determinationText(before)}`,
    environment: before.environment,
  };
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  approved: "The payer approved it",
  modified: "The payer approved it with changes",
  "partially-approved": "The payer approved a part of it",
  denied: "The payer denied it",
  "not-required": "The payer says that no authorization is required",
};

function determinationText({ outcome, authorizationNumber: number, validFrom, validTo }: DeterminationView): string {
  const under = number === undefined ? "" : ` under ${number}`;
  const valid = validFrom || validTo ? `, valid ${validFrom ?? "at once"} to ${validTo ?? "no named end"}` : "";
  return `${outcomeWords[outcome]}${under}${valid}.`;
}

function informationRequestArtifacts({ task, environment }: TaskRecord): readonly Told[] {
  const { wants, voided } = task.payer;
  if (!wants || voided) return [];
  const artifactId = "information-request";
  const description = "What the payer wants before it decides.";
  return [{ artifactId, name: "Information request", description, data: wants, text: wantsText(wants), environment }];
}

function wantsText({ text, items, dueBy }: InformationRequest): string {
  const named = items.map(({ kind, code, label }) => label ?? code?.value ?? kind);
  const list = named.length > 0 ? ` It names: ${named.join("; ")}.` : "";
  return `The payer says: ${text}${list}${dueBy === undefined ? "" : ` It wants this by ${dueBy}.`}`;
}

const receipts = {
  transmit: { artifactId: "receipt", name: "Receipt", description: "What was last sent to the payer." },
  void: { artifactId: "receipt-void", name: "Receipt of the void", description: "The void that was last sent." },
} as const satisfies Record<Action, Pick<Told, "artifactId" | "name" | "description">>;

function receiptArtifact({ environment, reference, sentAt, answeredAt, ...sending }: SubmissionView): Told {
  return {
    ...receipts[sending.action],
    data: {
      ...sending,
      payerReference: reference,
      sentAt: sentAt.toISOString(),
      answeredAt: answeredAt?.toISOString(),
    },
    text: receiptText({ ...sending, sentAt }),
    environment,
  };
}

const resultWords = {
  received: "the payer has it",
  refused: "the payer would not take it",
  "not-received": "the payer says that it has none",
  unconfirmed: "whether the payer has it is not known",
} as const satisfies Record<SubmissionView["result"], string>;

const deliveryWords = { portal: " in the payer's portal", phone: " by phone", fax: " by fax" } as const;

type Left = Pick<SubmissionView, "action" | "update" | "sentAt" | "result" | "traceNumber" | "byHand" | "delivery">;

function receiptText({ action, update, sentAt, result, traceNumber, byHand, delivery }: Left): string {
  const what = action === "void" ? "The void" : update ? "The update" : "The request";
  const way = delivery ? deliveryWords[delivery] : "";
  const how = byHand ? `was sent by a person${way}` : "left";
  return `${what} ${how} at ${sentAt.toISOString()} under trace number ${traceNumber}; ${resultWords[result]}.`;
}

function voidResultArtifacts(record: TaskRecord): readonly Told[] {
  const result = voidResult(record);
  if (!result) return [];
  const description = "What became of the void.";
  const { environment } = record;
  return [{ artifactId: "void-result", name: "Void", description, data: result, text: voidText(result), environment }];
}

function voidText({ result, by, reason }: VoidResult): string {
  const because = reason === undefined ? "" : ` It says: ${reason}`;
  switch (result) {
    case "done":
      return by === "payer" ? "The payer voided it without being asked." : "The payer voided it, as asked.";
    case "pending":
      return "A void is under way.";
    case "refused":
      return `The payer would not void it.${because}`;
    case "declined":
      return "A reviewer declined to send the void.";
    case "expired":
      return "Nobody decided on the void before its gate expired.";
  }
}
