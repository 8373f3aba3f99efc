import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Determination } from "#lib/domain/determination";
import type { Event } from "#lib/domain/event";
import type { InformationRequest } from "#lib/domain/information-request";
import type { Answer } from "#lib/payer/connector";
import { newId } from "#lib/store/new-id";
import { insertDetermination, insertPayerEvent, type FrozenGate } from "#lib/store/save-task";
import type { Loaded } from "./change.ts";
import { refreeze } from "./open-revision.ts";

type Decided = Extract<Event, { type: "payer-decided" }>;

/** The event for a determination, with the gate that replaces an open void gate whose votes saw another case. */
export async function decidedEvent(
  loaded: Loaded,
  id: string,
  determination: Determination,
): Promise<{ event: Decided; frozen: readonly FrozenGate[] }> {
  const { motion } = loaded.task;
  const waits = (motion.kind === "held" || motion.kind === "released") && motion.gate.action === "void";
  const again = waits ? await refreeze(loaded, loaded.row, { action: "void" }) : undefined;
  const event: Decided = {
    type: "payer-decided",
    determination: {
      id,
      outcome: determination.outcome,
      decidedAt: determination.decidedAt === undefined ? undefined : new Date(determination.decidedAt),
    },
    reference: determination.reference,
    gate: again?.gate,
  };
  return { event, frozen: again?.frozen ?? [] };
}

/** What the payer said, as it is kept beside the task. */
export type Said = {
  /** How it was heard, and what it was: `inquiry.decided`. */
  readonly kind: string;
  readonly bytes: Uint8Array | undefined;
  readonly determination?: { readonly id: string; readonly document: Determination } | undefined;
  readonly wants?: InformationRequest | undefined;
  /** The payer's own instant. */
  readonly at?: Date | undefined;
};

type Way = "answer" | "inquiry";
type Word = { readonly type: string; readonly determination?: Determination } & Partial<Accepted>;
type Accepted = Pick<Extract<Answer, { type: "accepted" }>, "wants" | "receivedAt">;

/** An answer as it is kept; `id` is the determination's where it holds one. */
export function saidOf(way: Way, word: Word, { id, bytes }: { id: string; bytes: Uint8Array | undefined }): Said {
  const { type, determination: document, wants, receivedAt } = word;
  const decidedAt = document?.decidedAt === undefined ? undefined : new Date(document.decidedAt);
  const determination = document && { id, document };
  return { kind: `${way}.${type}`, bytes, determination, wants, at: decidedAt ?? receivedAt };
}

/** Keeps the payer's word and its determination. False when the same was kept before. */
export async function keepSaid({ tx, store, row }: Loaded, said: Said): Promise<boolean> {
  const where = { tx, sealer: store.sealer, row };
  if (said.determination) {
    const { id, document } = said.determination;
    await insertDetermination(where, { id, determination: document, environment: row.environment });
  }
  return insertPayerEvent(where, {
    id: newId(),
    kind: said.kind,
    digest: saidDigest(said),
    payload: said.bytes,
    payerAt: said.at,
  });
}

/** Whether the payer said exactly this about the task before, however it was heard. */
export async function saidBefore({ tx, row }: Loaded, said: Said): Promise<boolean> {
  const kind = { endsWith: said.kind.slice(said.kind.indexOf(".")) };
  const known = await tx.payerEvent.count({ where: { taskId: row.id, kind, digest: saidDigest(said) } });
  return known > 0;
}

/** Whether the last decision heard of, by whatever way, says exactly this: a form posted twice, or a decision heard twice. */
export async function saidLast({ tx, row }: Loaded, said: Said): Promise<boolean> {
  const kind = { endsWith: said.kind.slice(said.kind.indexOf(".")) };
  const last = await tx.payerEvent.findFirst({
    where: { taskId: row.id, practiceId: row.practice_id, kind },
    orderBy: [{ receivedAt: "desc" }, { id: "desc" }],
    select: { digest: true },
  });
  return last?.digest === saidDigest(said);
}

/** A determination or a request for more is the same when it says the same of the same instant, whatever the bytes around it. */
function saidDigest({ bytes, determination, wants, at }: Said): string {
  const word = determination?.document ?? (wants && { wants, at: at?.toISOString() ?? null });
  const same = word ? (canonicalize(word) ?? "") : (bytes ?? newId());
  return createHash("sha256").update(same).digest("hex");
}

/** Whether two requests for more ask for the same. */
export function sameWants(one: InformationRequest | undefined, other: InformationRequest | undefined): boolean {
  return canonicalize(one ?? null) === canonicalize(other ?? null);
}
