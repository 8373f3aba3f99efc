import { z } from "zod";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { announce } from "#lib/db/announce";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { mentionsIn } from "#lib/queue/model/mentions";
import { loadReviewers } from "#lib/queue/store/assignees";
import { insertCaseNote } from "#lib/queue/store/case-notes";
import { inTransaction } from "#lib/db/db";
import { reviewedBy, type DeskRefusal } from "#lib/task/desk-refusal";
import { problems } from "#lib/messages/problems/field";

const noteText = z
  .string(problems.filledIn)
  // Browsers send the line breaks of a form as CRLF.
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z
      .string()
      .min(1, problems.filledIn)
      .max(4000, problems.charactersMax(4000))
      .refine((text) => text.isWellFormed() && !text.includes("\0"), problems.plainText),
  );

/**
 * Adds a note for the other reviewers of the practice. It is encrypted, never changed or removed, and never shown to the
 * agent or the payer. Reviewers of the practice whom it mentions with `@` are named in the audit log, which mail follows.
 * The id comes from the page, so that a form sent twice writes one note.
 */
export async function writeNote(
  { actor, store }: Context<PersonActor>,
  { taskId, noteId, text }: { readonly taskId: string; readonly noteId: string; readonly text: string },
): Promise<Result<"done" | "nothing", DeskRefusal>> {
  const checked = noteText.safeParse(text);
  if (!checked.success)
    return refuse({ type: "invalid", issues: [{ path: "text", problem: problemOf(checked.error) }] });
  const note = { id: noteId, taskId, practices: reviewedBy(actor), personId: actor.id, text: checked.data };
  const written = await inTransaction(store, async (tx) => {
    const inserted = await insertCaseNote(tx, note);
    if (!inserted) return refuse({ type: "not-found" });
    if (!inserted.kept) return ok(undefined);
    const mentions = mentionsIn(note.text, await loadReviewers(tx, inserted.practiceId)).filter(
      (id) => id !== actor.id,
    );
    const detail = { note: noteId, ...(mentions.length > 0 ? { mentions } : {}) };
    await appendAudit(tx, { chain: inserted.practiceId, actor, act: "case.noted", taskId, detail });
    return ok(inserted.practiceId);
  });
  if (!written.ok) return written;
  if (written.value === undefined) return ok("nothing");
  announce(store, "cases", written.value);
  return ok("done");
}

function problemOf({ issues }: z.ZodError): string {
  return issues[0]?.message ?? problems.plainText;
}
