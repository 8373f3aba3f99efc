import type { Context } from "#lib/access/context";
import { hasRecentProof } from "#lib/access/model/proof";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import type { AdminAct } from "#lib/audit/model/entry";
import { inTransaction, type Tx } from "#lib/db/db";
import { replaceRecoveryCodes } from "#lib/person/store/recovery-codes";
import { hasSecondFactor, lockOwnFactors, markFactorAdded } from "#lib/person/store/second-factors";
import { inTurn } from "#lib/person/sign-in/hash-turns";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { now } from "#lib/platform/now";

/** A person who manages their own second factors, in one of their sessions. */
export type Self = Context<PersonActor> & { readonly sessionId: string };

/** Why a second factor was not changed. */
export type FactorRefusal =
  /** The last proof of identity is older than ten minutes. */
  | "proof-needed"
  | "wrong-code"
  /** It is the only way they can sign in. */
  | "last-way"
  /** It exists already, or does not exist any more. */
  | "not-found"
  /** Too many passwords and codes are hashed or checked at this moment. */
  | "busy";

/** The recovery codes that came with the first factor; this is the only time they are returned. */
export type AddedFactor = { readonly recoveryCodes: readonly string[] };

/** Refuses where the last proof of identity is too old. */
export function requireRecentProof({ actor }: Self): Result<undefined, "proof-needed"> {
  return hasRecentProof(actor, now()) ? ok(undefined) : refuse("proof-needed");
}

/**
 * Adds a factor and its audit entry in one commit. The first factor brings ten recovery codes; the person's other
 * sessions stay signed in, but lose what a password alone had proved in them.
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
    await recordChange(tx, actor, "person.second-factor-added", { kind });
    return ok({ recoveryCodes: first && codes ? codes.shown : [] });
  });
}

type OwnChange = {
  readonly act: AdminAct;
  readonly detail: object;
  /** Returns false where there was nothing to change; refuses before it writes. */
  readonly change: (tx: Tx) => Promise<boolean | "last-way">;
};

/** Changes one of the person's own factors and writes its audit entry. */
export async function changeOwnFactor(
  self: Self,
  { act, detail, change }: OwnChange,
): Promise<Result<undefined, FactorRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  return inTransaction(self.store, async (tx): Promise<Result<undefined, FactorRefusal>> => {
    await lockOwnFactors(tx, self.actor.id);
    const changed = await change(tx);
    if (changed === "last-way") return refuse(changed);
    if (!changed) return refuse("not-found");
    await recordChange(tx, self.actor, act, detail);
    return ok(undefined);
  });
}

function recordChange(tx: Tx, actor: PersonActor, act: AdminAct, detail: object): Promise<number> {
  return appendAudit(tx, { chain: "people", actor, act, detail: { person: actor.id, ...detail } });
}
