import type { Context } from "#lib/access/context";
import { isProved } from "#lib/access/model/proof";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit, type AdminAct } from "#lib/audit/store/audit";
import { inTransaction, type Tx } from "#lib/db/db";
import { replaceRecoveryCodes } from "#lib/person/store/recovery-codes";
import { hasSecondFactor, lockOwnFactors, markFactorAdded } from "#lib/person/store/second-factors";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { now } from "#lib/platform/now";

/** Somebody at their own factors, in one of their sessions. */
export type Self = Context<PersonActor> & { readonly sessionId: string };

/** Why nothing changed. */
export type FactorRefusal =
  /** The last proof of who they are is older than ten minutes. */
  | "proof-needed"
  | "wrong-code"
  /** Nothing else would let them in. */
  | "last-way"
  /** It is there already, or no more. */
  | "not-found"
  /** Too many passwords and codes are made or looked at just now. */
  | "busy";

/** What was added, and the recovery codes that came with the first factor, shown this one time. */
export type AddedFactor = { readonly recoveryCodes: readonly string[] };

/** Refuses where the proof of who they are is not new. */
export function provedSelf({ actor }: Self): Result<undefined, "proof-needed"> {
  return isProved(actor, now()) ? ok(undefined) : refuse("proof-needed");
}

/**
 * Adds a factor and says so in the record, in one commit. With somebody's first
 * come ten recovery codes; their other sessions go on, without what a password
 * alone had proved there.
 */
export async function addFactor(
  { actor, store, sessionId }: Self,
  { kind, add }: { readonly kind: "totp" | "passkey"; readonly add: (tx: Tx) => Promise<boolean> },
): Promise<Result<AddedFactor, "not-found" | "busy">> {
  const isSecond = await hasSecondFactor(store, actor.id);
  const made = isSecond ? ok(undefined) : await inTurn("known", newRecoveryCodes);
  if (!made.ok) return made;
  const codes = made.value;
  return inTransaction(store, async (tx) => {
    await lockOwnFactors(tx, actor.id);
    const first = !(await hasSecondFactor(tx, actor.id));
    if (!(await add(tx))) return refuse("not-found");
    if (first && codes) await replaceRecoveryCodes(tx, actor.id, codes.kept);
    await markFactorAdded(tx, { personId: actor.id, sessionId, first });
    await record(tx, actor, "person.second-factor-added", { kind });
    return ok({ recoveryCodes: first && codes ? codes.shown : [] });
  });
}

type OwnChange = {
  readonly act: AdminAct;
  readonly detail: object;
  /** False where there was nothing to change; refuses before it writes. */
  readonly change: (tx: Tx) => Promise<boolean | "last-way">;
};

/** One change of somebody's own factors with its entry in the record. */
export async function changeOwn(
  self: Self,
  { act, detail, change }: OwnChange,
): Promise<Result<undefined, FactorRefusal>> {
  const proved = provedSelf(self);
  if (!proved.ok) return proved;
  return inTransaction(self.store, async (tx): Promise<Result<undefined, FactorRefusal>> => {
    await lockOwnFactors(tx, self.actor.id);
    const changed = await change(tx);
    if (changed === "last-way") return refuse(changed);
    if (!changed) return refuse("not-found");
    await record(tx, self.actor, act, detail);
    return ok(undefined);
  });
}

function record(tx: Tx, actor: PersonActor, act: AdminAct, detail: object): Promise<number> {
  return appendAudit(tx, { chain: "people", actor, act, detail: { person: actor.id, ...detail } });
}
