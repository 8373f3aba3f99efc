import type { Store, Tx } from "#lib/db/db";
import { recoveryHash, spendRecoveryCode } from "#lib/person/store/recovery-codes";
import { loadTotp, spendTimeStep } from "#lib/person/store/totp";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { isPassword } from "#lib/person/sign-in/password";
import { readRecoveryCode } from "./recovery-codes.ts";
import { timeStepOf } from "./totp.ts";

/** A correct code. `spend` uses it up; it returns false where a concurrent call did so first. */
export type VerifiedCode = {
  readonly kind: "totp" | "recovery-code";
  readonly spend: (tx: Tx) => Promise<boolean>;
};

/**
 * Checks six digits as a code of an authenticator app, and any other text as a recovery code. Undefined for a wrong
 * code; `busy` where too many are checked at this moment.
 */
export async function checkCode(
  store: Store,
  personId: string,
  typed: string,
): Promise<VerifiedCode | "busy" | undefined> {
  const digits = typed.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(digits) ? checkTotp(store, personId, digits) : checkRecoveryCode(store, personId, typed);
}

async function checkTotp(store: Store, personId: string, code: string): Promise<VerifiedCode | undefined> {
  const totp = await loadTotp(store, personId);
  const timeStep = totp?.confirmed ? await timeStepOf(code, totp) : undefined;
  if (timeStep === undefined) return undefined;
  return { kind: "totp", spend: (tx) => spendTimeStep(tx, { personId, timeStep }) };
}

async function checkRecoveryCode(
  store: Store,
  personId: string,
  typed: string,
): Promise<VerifiedCode | "busy" | undefined> {
  const code = readRecoveryCode(typed);
  const hash = code && (await recoveryHash(store, personId, code.tag));
  if (!hash) return undefined;
  const same = await inTurn("known", () => isPassword(code.rest, hash));
  if (!same.ok) return same.refusal;
  if (!same.value) return undefined;
  return { kind: "recovery-code", spend: (tx) => spendRecoveryCode(tx, { personId, tag: code.tag, hash }) };
}
