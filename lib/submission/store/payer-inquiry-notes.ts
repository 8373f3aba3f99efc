import { createHash } from "node:crypto";
import type { LearnedBy } from "#lib/task/model/determination";
import { newId } from "#lib/db/new-id";
import { insertReport } from "#lib/task/store/save-report";
import type { LoadedTask } from "#lib/task/store/load-task";
import type { RecourseNote } from "./recourse-notes.ts";

type Where = Pick<LoadedTask, "tx" | "row">;

/** Whom at the payer a person asked, how and when, and what the answer was. */
export type PayerInquiryNote = {
  readonly whom: string;
  readonly by: LearnedBy["by"];
  readonly at: Date;
  readonly reply?: string | undefined;
};

/** What a person learned when they asked about a submission of unknown outcome. */
export type UnconfirmedResolution = PayerInquiryNote & { readonly payerHas: boolean };

/** A note as it is sealed. Notes are never rewritten, so their members keep these names. */
type StoredNote = Omit<UnconfirmedResolution, "at" | "reply"> & { readonly words?: string | undefined };

/** Keeps, sealed, what a person says a record is based on. */
export async function insertNote(where: Where, { kind, text }: { kind: string; text: string }): Promise<boolean> {
  return insertPersonNote(where, { kind, payload: Buffer.from(text) });
}

/** Keeps, sealed, whom a person asked about a submission of unknown outcome, and the answer. */
export async function insertPayerInquiryNote(
  where: Where,
  { at, reply: replyText, ...facts }: UnconfirmedResolution,
): Promise<boolean> {
  const note: StoredNote = { ...facts, words: replyText };
  return insertPersonNote(where, { kind: "inquired", payload: Buffer.from(JSON.stringify(note)), payerAt: at });
}

/** Keeps, sealed, what a person recorded about contesting a determination. */
export async function insertRecourseNote(
  where: Where,
  { kind, ...facts }: RecourseNote,
  at: Date | undefined,
): Promise<boolean> {
  const payload = Buffer.from(JSON.stringify(facts));
  return insertPersonNote(where, { kind, payload, ...(at ? { payerAt: at } : {}) });
}

/** The note that `insertPayerInquiryNote` kept, without its time, which has a column. */
export function inquiryNoteOf(text: string): Omit<UnconfirmedResolution, "at"> {
  // Safe because only `insertPayerInquiryNote` writes this kind, from this type, under authentication.
  const { words: reply, ...facts } = JSON.parse(text) as StoredNote;
  return { ...facts, ...(reply === undefined ? {} : { reply }) };
}

async function insertPersonNote(
  where: Where,
  { kind, payload, payerAt }: { kind: string; payload: Buffer; payerAt?: Date },
) {
  const id = newId();
  const digest = createHash("sha256").update(`${id}\n`).update(payload).digest("hex");
  return insertReport(where, { event: { id, kind: `person.${kind}`, digest, payload, payerAt } });
}
