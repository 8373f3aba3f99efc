import { z } from "zod";
import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPractice, loadLikeIds } from "#lib/practice/store/admin-practices";
import { administer } from "#lib/access/administer";
import { validate, environmentWord, nameText, practiceIdText } from "#lib/access/validate";
import type { AdminRefusal } from "#lib/access/refusal";
import { practiceSettings } from "./change-practice-settings.ts";

const schema = z.object({
  id: practiceIdText,
  name: nameText,
  environment: environmentWord.default("live"),
  recallWindowS: practiceSettings.shape.recallWindowS.default(10),
  gateExpiryDays: practiceSettings.shape.gateExpiryDays.default(14),
  timeZone: practiceSettings.shape.timeZone.default("America/New_York"),
});

export type CreatePractice = z.input<typeof schema>;

/**
 * Creates a practice with an id that is public and never changes. Refuses an id that is in use, also with other capital
 * letters: agents name practices by it.
 */
export async function createPractice(
  ctx: Context,
  input: CreatePractice,
): Promise<Result<{ id: string }, AdminRefusal>> {
  return administer(ctx, "every-practice", async (tx) => {
    const practice = validate(schema, input);
    if (!practice.ok) return practice;
    const { id, name, ...settings } = practice.value;
    if ((await loadLikeIds(tx, [id])).size > 0 || !(await insertPractice(tx, practice.value)))
      return refuse({ type: "taken", what: "practice" });
    return ok({ value: { id }, chain: id, entries: [{ act: "practice.created", detail: { name, ...settings } }] });
  });
}
