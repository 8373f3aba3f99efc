import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { OpenAttachment } from "#lib/task/model/attachment";
import { ok, refuse, type Result } from "#lib/platform/result";
import { findAttachment } from "#lib/task/store/attachments";
import { recordReading } from "#lib/task/shared/readings";
import { reviewedBy } from "./desk-refusal.ts";
import { recordCaseDenial } from "#lib/access/record-case-denial";
import type { Refusal } from "./refusal.ts";

/**
 * One file of a case with its bytes, from any of its revisions, for a reviewer of its practice; anyone else gets
 * `not-found`. The reading is put in the audit log first; if that fails, this throws.
 */
export async function readAttachment(
  ctx: Context<PersonActor>,
  { taskId, sha256 }: { taskId: string; sha256: string },
): Promise<Result<OpenAttachment, Refusal>> {
  const { actor, store } = ctx;
  const found = await findAttachment(store, { taskId, sha256, practices: reviewedBy(actor) });
  if (!found) {
    await recordCaseDenial(ctx, taskId);
    return refuse({ type: "not-found" });
  }
  const { practiceId, file } = found;
  const reading = { part: `file:${sha256}`, act: "case.file-opened", detail: { file: sha256 } } as const;
  await recordReading(store, { actor, taskId, practiceId, ...reading });
  return ok(file);
}
