import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockPractice, updatePractice } from "#lib/practice/store/admin-practices";
import { administer } from "#lib/access/administer";
import { validate, nameText } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { z } from "zod";

const schema = z.object({ name: nameText });

/** Renames a practice; its id stays. Frozen documents keep the name they were made with. */
export async function renamePractice(
  ctx: Context,
  { practiceId, name }: { practiceId: string; name: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, { practiceId }, async (tx) => {
    const named = validate(schema, { name });
    if (!named.ok) return named;
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    if (practice.name === named.value.name) return ok({ value: undefined, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, named.value);
    const detail = { from: practice.name, to: named.value.name };
    return ok({ value: undefined, chain: practiceId, entries: [{ act: "practice.renamed", detail }] });
  });
}
