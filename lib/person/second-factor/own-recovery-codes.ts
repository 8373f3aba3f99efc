import { ok, refuse, type Result } from "#lib/platform/result";
import { replaceRecoveryCodes } from "#lib/person/store/recovery-codes";
import { hasSecondFactor } from "#lib/person/store/second-factors";
import { changeOwnFactor, type AddedFactor, type FactorRefusal, type Self } from "./own-factors.ts";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { newRecoveryCodes } from "./recovery-codes.ts";

/**
 * Creates ten new recovery codes in place of the earlier ones. This is the only time they are returned. Only beside a
 * second factor.
 */
export async function remakeRecoveryCodes(self: Self): Promise<Result<AddedFactor, FactorRefusal>> {
  if (!(await hasSecondFactor(self.store, self.actor.id))) return refuse("not-found");
  const codes = await inTurn("known", newRecoveryCodes);
  if (!codes.ok) return codes;
  const { shown, kept } = codes.value;
  const made = await changeOwnFactor(self, {
    act: "person.recovery-codes-made",
    detail: { codes: kept.length },
    change: async (tx) => {
      if (!(await hasSecondFactor(tx, self.actor.id))) return false;
      await replaceRecoveryCodes(tx, self.actor.id, kept);
      return true;
    },
  });
  return made.ok ? ok({ recoveryCodes: shown }) : made;
}
