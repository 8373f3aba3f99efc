import { createHash } from "node:crypto";
import type { LearnedBy } from "#lib/task/model/determination";
import type { Store, Tx } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import { insertPayerEvent } from "#lib/task/store/save-task";
import type { TaskRow } from "#lib/task/store/task-rows";

type Where = { readonly tx: Tx; readonly store: Store; readonly row: TaskRow };

/** Whom at the payer a person asked, how and when, and what was said. */
export type PayerInquiryNote = {
  readonly whom: string;
  readonly by: LearnedBy["by"];
  readonly at: Date;
  readonly words?: string | undefined;
};

/** What a person was told when they asked about an action in doubt. */
export type UnconfirmedResolution = PayerInquiryNote & { readonly payerHas: boolean };

/** Keeps, sealed, what a person says a recorded fact rests on. */
export async function insertNote(where: Where, { kind, text }: { kind: string; text: string }): Promise<boolean> {
  return insertWords(where, { kind, payload: Buffer.from(text) });
}

/** Keeps, sealed, whom a person asked about an action in doubt, and what they were told. */
export async function insertPayerInquiryNote(
  where: Where,
  { at, ...settled }: UnconfirmedResolution,
): Promise<boolean> {
  return insertWords(where, { kind: "asked", payload: Buffer.from(JSON.stringify(settled)), payerAt: at });
}

async function insertWords({ tx, store, row }: Where, words: { kind: string; payload: Buffer; payerAt?: Date }) {
  const id = newId();
  const digest = createHash("sha256").update(`${id}\n`).update(words.payload).digest("hex");
  return insertPayerEvent({ tx, sealer: store.sealer, row }, { ...words, id, digest, kind: `person.${words.kind}` });
}
