import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { v7 as uuidv7 } from "uuid";
import type { Determination } from "#lib/domain/determination";
import type { Event } from "#lib/domain/event";
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
  readonly kind: string;
  readonly bytes: Uint8Array | undefined;
  readonly determination?: { readonly id: string; readonly document: Determination } | undefined;
};

/** Keeps the payer's word and its determination. False when the same was kept before. */
export async function keepSaid({ tx, store, row }: Loaded, said: Said): Promise<boolean> {
  const where = { tx, sealer: store.sealer, row };
  if (said.determination) {
    const { id, document } = said.determination;
    await insertDetermination(where, { id, determination: document, environment: row.environment });
  }
  return insertPayerEvent(where, {
    id: uuidv7(),
    kind: said.kind,
    digest: saidDigest(said),
    payload: said.bytes,
    payerAt: said.determination?.document.decidedAt ? new Date(said.determination.document.decidedAt) : undefined,
  });
}

/** Whether the payer said exactly this about the task before. */
export async function saidBefore({ tx, row }: Loaded, said: Said): Promise<boolean> {
  // A determination is the same however it was heard.
  const kind = said.determination ? { endsWith: ".decided" } : said.kind;
  const known = await tx.payerEvent.count({ where: { taskId: row.id, kind, digest: saidDigest(said) } });
  return known > 0;
}

/** A determination is the same when it says the same, whatever the bytes around it. */
function saidDigest({ bytes, determination }: Said): string {
  const same = determination ? (canonicalize(determination.document) ?? "") : (bytes ?? uuidv7());
  return createHash("sha256").update(same).digest("hex");
}
