import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { findPractice } from "#lib/store/admin-practices";
import { listReceipts } from "#lib/store/decision-receipts";
import type { AdminRefusal } from "./refusal.ts";

/** So many at once that memory stays small. */
const pageLength = 500;

type Asked = { readonly practiceId: string; readonly after: number; readonly since?: Date | undefined };

/** The next receipts of a practice after a number, in their order and exactly as they were issued; none at the end. */
export async function exportReceipts(
  { actor, store }: Context,
  asked: Asked,
): Promise<Result<readonly { readonly sequence: number; readonly text: string }[], AdminRefusal>> {
  if (!isAdmin(actor)) return refuse({ type: "not-authorised" });
  if (!(await findPractice(store, asked.practiceId))) return refuse({ type: "not-found", what: "practice" });
  return ok(await listReceipts(store, { ...asked, limit: pageLength }));
}
