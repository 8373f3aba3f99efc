import type { Store, Tx } from "#lib/db/db";
import { recoveryHash, spendRecoveryCode } from "#lib/person/store/recovery-codes";
import { loadTotp, spendTimeStep } from "#lib/person/store/totp";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { isPassword } from "#lib/person/sign-in/password";
import { readRecoveryCode } from "./recovery-codes.ts";
import { timeStepOf } from "./totp.ts";

/** A code that is right, and what uses it up: false where somebody else did meanwhile. */
export type RightCode = {
  readonly kind: "totp" | "recovery-code";
  readonly spend: (tx: Tx) => Promise<boolean>;
};

/** Reads six digits as an authenticator app's code, and anything else as a recovery code. Undefined for a wrong one; `busy` where too many are looked at just now. */
export async function checkCode(
  store: Store,
  personId: string,
  typed: string,
): Promise<RightCode | "busy" | undefined> {
  const digits = typed.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(digits) ? checkTotp(store, personId, digits) : checkRecoveryCode(store, personId, typed);
}

async function checkTotp(store: Store, personId: string, code: string): Promise<RightCode | undefined> {
  const totp = await loadTotp(store, personId);
  const timeStep = totp?.confirmed ? await timeStepOf(code, totp) : undefined;
  if (timeStep === undefined) return undefined;
  return { kind: "totp", spend: (tx) => spendTimeStep(tx, { personId, timeStep }) };
}

async function checkRecoveryCode(
  store: Store,
  personId: string,
  typed: string,
): Promise<RightCode | "busy" | undefined> {
  const code = readRecoveryCode(typed);
  const hash = code && (await recoveryHash(store, personId, code.tag));
  if (!hash) return undefined;
  const same = await inTurn("known", () => isPassword(code.rest, hash));
  if (!same.ok) return same.refusal;
  if (!same.value) return undefined;
  return { kind: "recovery-code", spend: (tx) => spendRecoveryCode(tx, { personId, tag: code.tag, hash }) };
}
