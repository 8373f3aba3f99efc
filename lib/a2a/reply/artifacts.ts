import { reviewActions } from "#lib/messages/labels/codes";
import {
  artifactHeadings,
  determinationText,
  earlierRevisionText,
  informationRequestText,
  receiptText,
  supersededText,
  testText,
  voidedText,
  voidText,
} from "#lib/messages/agent/artifacts";
import { stateOf, type State, type Task } from "#lib/task/model/task";
import type { DeterminationView, SubmissionView, TaskRecord } from "#lib/task/views";
import { progressOf } from "#lib/task/model/authorization-progress";
import { decisionReason } from "#lib/messages/decision-reasons";
import { type DeterminationLine } from "#lib/task/model/determination";

type Environment = TaskRecord["environment"];

/** One result of a task as an A2A artifact: the same facts as data and as a sentence. */
type Artifact = {
  readonly artifactId: string;
  readonly name: string;
  readonly description: string;
  readonly parts: readonly [{ readonly kind: "data"; readonly data: object }, { readonly kind: "text"; text: string }];
  readonly metadata: { readonly environment: Environment };
};

type ArtifactContent = Pick<Artifact, "artifactId" | "name" | "description"> & {
  readonly data: object;
  readonly text: string;
  /** The environment of this result; the task may have changed to another since. */
  readonly environment: Environment;
};

/**
 * The results of a task so far. An artifact keeps its id for the whole life of the task. The latest determination comes
 * before those it superseded.
 */
export function artifactViews(record: TaskRecord): readonly Artifact[] {
  return [
    ...determinationArtifacts(record),
    ...informationRequestArtifacts(record),
    ...record.submissions.map(receiptArtifact),
    ...voidResultArtifacts(record),
  ].map(artifact);
}

function artifact({ data, text, environment, ...named }: ArtifactContent): Artifact {
  const sentence = environment === "test" ? testText(text) : text;
  return {
    ...named,
    parts: [
      { kind: "data", data: { ...data, environment } },
      { kind: "text", text: sentence },
    ],
    metadata: { environment },
  };
}

function determinationArtifacts(record: TaskRecord): readonly ArtifactContent[] {
  const { determination, superseded } = record;
  const data = determinationView(record);
  if (!determination || !data) return [];
  const latest: ArtifactContent = {
    artifactId: "determination",
    ...(record.task.payer.voided ? artifactHeadings.voided : artifactHeadings.determination),
    data,
    text: latestText(determination, record.task),
    environment: determination.environment,
  };
  return [latest, ...superseded.map((before, index) => supersededArtifact(record, before, index))];
}

/**
 * What the latest determination says. Some clients show the text of artifacts alone, so it says by itself when the request
 * is void, or when the agent has sent a later revision than the one it answers.
 */
function latestText(determination: DeterminationView, { payer, revision }: Task): string {
  if (payer.voided) return voidedText(determination);
  const isEarlier = determination.revision !== undefined && determination.revision < revision;
  return isEarlier ? earlierRevisionText(determination, revision) : determinationText(determination);
}

/** A determination that is no longer in force, under an id that names its version. */
function supersededArtifact(
  { determination, superseded }: TaskRecord,
  before: DeterminationView,
  index: number,
): ArtifactContent {
  const version = superseded.length - index;
  const by = superseded[index - 1] ?? determination;
  return {
    artifactId: `determination-${version}`,
    ...artifactHeadings.superseded(version),
    data: { ...determinationData(before, version), supersededBy: by?.id },
    text: supersededText(before),
    environment: before.environment,
  };
}

function informationRequestArtifacts({ task, environment }: TaskRecord): readonly ArtifactContent[] {
  const { informationRequest, voided } = task.payer;
  if (!informationRequest || voided) return [];
  const heading = artifactHeadings.informationRequest;
  const text = informationRequestText(informationRequest);
  return [{ artifactId: "information-request", ...heading, data: informationRequest, text, environment }];
}

const receiptIds = { transmit: "receipt", void: "receipt-void" } as const;

function receiptArtifact(submission: SubmissionView): ArtifactContent {
  const { environment, reference, sentAt, answeredAt, action, update, manual, ...facts } = submission;
  return {
    artifactId: receiptIds[action],
    ...artifactHeadings.receipt[action],
    data: {
      action,
      update,
      byHand: manual,
      ...facts,
      payerReference: reference,
      sentAt: sentAt.toISOString(),
      answeredAt: answeredAt?.toISOString(),
    },
    text: receiptText(submission),
    environment,
  };
}

function voidResultArtifacts(record: TaskRecord): readonly ArtifactContent[] {
  const result = voidResult(record);
  if (!result) return [];
  const { environment } = record;
  const heading = artifactHeadings.voidResult;
  return [{ artifactId: "void-result", ...heading, data: result, text: voidText(result), environment }];
}

/** The result of a void; instants in RFC 3339. */
type VoidResult = {
  readonly result: "done" | "pending" | "refused" | "declined" | "expired";
  /** Of a completed void: whether the practice requested it. */
  readonly by?: "practice" | "payer" | undefined;
  /** When the void was completed, refused, declined or expired. */
  readonly at?: string | undefined;
  readonly payerReference?: string | undefined;
  readonly reason?: string | undefined;
};

const underWay: readonly State[] = ["void-held", "void-released", "voiding", "void-unconfirmed"];

/** The last void of a task; undefined when none was requested and the payer did not void the request itself. */
function voidResult({ task, gate, submissions, voidedAt }: TaskRecord): VoidResult | undefined {
  const { voided } = task.payer;
  const sent = submissions.find(({ action }) => action === "void");
  if (voided) {
    const by = voided === "by-us" ? "practice" : "payer";
    return { result: "done", by, at: voidedAt?.toISOString(), payerReference: sent?.reference };
  }
  if (underWay.includes(stateOf(task))) return { result: "pending", payerReference: sent?.reference };
  if (gate?.action === "void" && (gate.status === "declined" || gate.status === "expired")) {
    return { result: gate.status, at: gate.decidedAt?.toISOString(), reason: gate.reason };
  }
  if (sent?.result !== "refused") return undefined;
  const { answeredAt, reference, reason } = sent;
  return { result: "refused", at: answeredAt?.toISOString(), payerReference: reference, reason };
}

/** A determination on the wire: instants in RFC 3339, and a label of ours beside each code. The first has version 1. */
function determinationData({ receivedAt, lines, ...decided }: DeterminationView, version: number) {
  const progress = progressOf(lines).filter(({ remaining }) => remaining > 0);
  return {
    ...decided,
    version,
    receivedAt: receivedAt.toISOString(),
    lines: lines.map(lineData),
    progress: progress.length > 0 ? progress : undefined,
  };
}

/** The determination in force, as a member of the task and as an artifact. */
export function determinationView({ determination, superseded }: TaskRecord) {
  return determination && determinationData(determination, superseded.length + 1);
}

function lineData({ action, reasons, ...line }: DeterminationLine) {
  return { ...line, action, label: reviewActions[action], reasons: reasons.map(decisionReason) };
}
