import { decisionReason } from "#lib/domain/decision-reasons";
import { reviewActions, type DeterminationLine } from "#lib/domain/determination";
import type { InformationRequest } from "#lib/domain/information-request";
import type { Outcome } from "#lib/domain/task";
import type { DeterminationView, TaskRecord } from "#lib/tasks/views";

/** One result of a task as A2A has it: the same facts as data, and in a sentence. */
type Artifact = {
  readonly artifactId: string;
  readonly name: string;
  readonly description: string;
  readonly parts: readonly [{ readonly kind: "data"; readonly data: object }, { readonly kind: "text"; text: string }];
  readonly metadata: object;
};

type Told = Pick<Artifact, "artifactId" | "name" | "description"> & { readonly data: object; readonly text: string };

/** What a task has brought so far. An artifact keeps its id for as long as the task lives. */
export function artifactViews(record: TaskRecord): readonly Artifact[] {
  return [determinationArtifact(record), informationRequestArtifact(record)].flatMap((told) =>
    told ? [artifact(told, record)] : [],
  );
}

function artifact({ data, text, ...named }: Told, { environment }: TaskRecord): Artifact {
  const sentence = environment === "test" ? `TEST, which authorizes nothing: ${text}` : text;
  return {
    ...named,
    parts: [
      { kind: "data", data: { ...data, environment } },
      { kind: "text", text: sentence },
    ],
    metadata: { environment },
  };
}

/** The determination in force, as the task carries it at its top as well. */
export function determinationView({ determination, environment }: TaskRecord) {
  return determination && { ...determinationData(determination), environment };
}

function determinationArtifact({ determination }: TaskRecord): Told | undefined {
  if (!determination) return undefined;
  return {
    artifactId: "determination",
    name: "Determination",
    description: "What the payer decided.",
    data: determinationData(determination),
    text: determinationText(determination),
  };
}

function determinationData({ receivedAt, lines, ...decided }: DeterminationView) {
  return { ...decided, receivedAt: receivedAt.toISOString(), lines: lines.map(lineData) };
}

function lineData({ action, reasons, ...line }: DeterminationLine) {
  return { ...line, action, label: reviewActions[action], reasons: reasons.map(decisionReason) };
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

function informationRequestArtifact({ task }: TaskRecord): Told | undefined {
  const { wants } = task.payer;
  if (!wants || task.payer.voided) return undefined;
  return {
    artifactId: "information-request",
    name: "Information request",
    description: "What the payer wants before it decides.",
    data: wants,
    text: wantsText(wants),
  };
}

function wantsText({ text, items, dueBy }: InformationRequest): string {
  const named = items.map(({ kind, code, label }) => label ?? code?.value ?? kind);
  const list = named.length > 0 ? ` It names: ${named.join("; ")}.` : "";
  return `The payer says: ${text}${list}${dueBy === undefined ? "" : ` It wants this by ${dueBy}.`}`;
}
