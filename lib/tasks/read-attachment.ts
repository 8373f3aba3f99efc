import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { OpenAttachment } from "#lib/domain/attachment";
import { ok, refuse, type Result } from "#lib/domain/result";
import { findAttachment } from "#lib/store/attachments";
import { practicesOf } from "./change.ts";
import type { Refusal } from "./refusal.ts";

/** One file of a case with its bytes, of any of its revisions, for a reviewer of its practice; anyone else finds nothing. */
export async function readAttachment(
  ctx: Context<PersonActor>,
  { taskId, sha256 }: { taskId: string; sha256: string },
): Promise<Result<OpenAttachment, Refusal>> {
  const practices = practicesOf(ctx);
  const found = practices === "every" ? undefined : await findAttachment(ctx.store, { taskId, sha256, practices });
  return found ? ok(found) : refuse({ type: "not-found" });
}
