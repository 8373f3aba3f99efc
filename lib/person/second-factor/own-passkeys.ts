import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Tx } from "#lib/db/db";
import { deletePasskey, insertPasskey, isOnlySignIn, renamePasskeyRow, useChallenge } from "#lib/person/store/passkeys";
import { personById } from "#lib/person/store/people";
import { dropUnneededCodes } from "#lib/person/store/second-factors";
import {
  addFactor,
  changeOwnFactor,
  requireRecentProof,
  type AddedFactor,
  type FactorRefusal,
  type Self,
} from "./own-factors.ts";
import type { PasskeySite } from "./passkey-site.ts";
import { requestNewPasskey, verifyNewPasskey, type PasskeyResponse } from "./passkeys.ts";

const nameCharactersMax = 60;

/** The person's name for a device: one line. */
function passkeyName(typed: string): string {
  const name = typed
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .toWellFormed();
  return [...name].slice(0, nameCharactersMax).join("") || "Passkey";
}

const requesterOf = ({ sessionId }: Self) => `session:${sessionId}:add` as const;

/** Returns the options from which a device of this person creates a passkey. */
export async function beginPasskey(
  self: Self,
  site: PasskeySite,
): Promise<Result<PublicKeyCredentialCreationOptionsJSON, FactorRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const { actor, store } = self;
  const email = (await personById(store, actor.id))?.email ?? "";
  const owner = { id: actor.id, email, name: actor.name };
  return ok(await requestNewPasskey(store, { site, requester: requesterOf(self), owner }));
}

/**
 * Adds the passkey that a device created. `not-found` where it was created for another request, or is registered
 * already.
 */
export async function addPasskey(
  self: Self,
  { site, response, name }: { readonly site: PasskeySite; readonly response: PasskeyResponse; readonly name: string },
): Promise<Result<AddedFactor, FactorRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const right = await verifyNewPasskey(self.store, { site, requester: requesterOf(self), response });
  if (!right) return refuse("not-found");
  const passkey = { ...right.made, personId: self.actor.id, name: passkeyName(name) };
  const add = async (tx: Tx) => (await useChallenge(tx, right.signed)) && insertPasskey(tx, passkey);
  return addFactor(self, { kind: "passkey", add });
}

export function renamePasskey(self: Self, { id, name }: { id: string; name: string }) {
  const personId = self.actor.id;
  return changeOwnFactor(self, {
    act: "person.second-factor-renamed",
    detail: { kind: "passkey" },
    change: (tx) => renamePasskeyRow(tx, { id, personId, name: passkeyName(name) }),
  });
}

/** Removes a passkey, unless it is the only way to sign in. The last factor takes the recovery codes with it. */
export function removePasskey(self: Self, { id }: { id: string }) {
  const personId = self.actor.id;
  return changeOwnFactor(self, {
    act: "person.second-factor-removed",
    detail: { kind: "passkey" },
    change: async (tx) => {
      if (await isOnlySignIn(tx, personId, id)) return "last-way";
      const removed = await deletePasskey(tx, { id, personId });
      if (removed) await dropUnneededCodes(tx, personId);
      return removed;
    },
  });
}
