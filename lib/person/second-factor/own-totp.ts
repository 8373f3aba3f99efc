import { ok, refuse, type Result } from "#lib/platform/result";
import { dropUnneededCodes } from "#lib/person/store/second-factors";
import { confirmTotpRow, deleteTotp, keepTotp, loadOfferedTotp } from "#lib/person/store/totp";
import { personById } from "#lib/person/store/people";
import {
  addFactor,
  changeOwnFactor,
  requireRecentProof,
  type AddedFactor,
  type FactorRefusal,
  type Self,
} from "./own-factors.ts";
import { newTotpSecret, timeStepOf, totpUri } from "./totp.ts";

/** What an authenticator app needs: the secret in base32, and the same as the address of a QR code. */
export type TotpOffer = { readonly secret: string; readonly uri: string };

/**
 * Creates a secret that is inactive until this session confirms its first code, within a quarter of an hour. Refuses with
 * `not-found` where an active app exists; that one has to be removed first.
 */
export async function beginTotp(self: Self): Promise<Result<TotpOffer, FactorRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const secret = newTotpSecret();
  if (!(await keepTotp(self.store, ownerOf(self), secret))) return refuse("not-found");
  return ok(await offerOf(self, secret));
}

/** The inactive secret, to be shown again after a wrong code in the session that made it. */
export async function offeredTotp(self: Self): Promise<TotpOffer | undefined> {
  const totp = requireRecentProof(self).ok ? await loadOfferedTotp(self.store, ownerOf(self)) : undefined;
  return totp && offerOf(self, totp.secret);
}

const ownerOf = ({ actor, sessionId }: Self) => ({ personId: actor.id, sessionId });

/** Activates the app with one of its codes, which is used up. Refuses with `not-found` where another session made it. */
export async function confirmTotp(self: Self, { code }: { code: string }): Promise<Result<AddedFactor, FactorRefusal>> {
  const proved = requireRecentProof(self);
  if (!proved.ok) return proved;
  const personId = self.actor.id;
  const totp = await loadOfferedTotp(self.store, ownerOf(self));
  if (!totp) return refuse("not-found");
  const timeStep = await timeStepOf(code.replaceAll(/\s/g, ""), totp);
  if (timeStep === undefined) return refuse("wrong-code");
  const { createdAt } = totp;
  return addFactor(self, { kind: "totp", add: (tx) => confirmTotpRow(tx, { personId, createdAt, timeStep }) });
}

/** Removes the app. The last factor takes the recovery codes with it. */
export function removeTotp(self: Self): Promise<Result<undefined, FactorRefusal>> {
  return changeOwnFactor(self, {
    act: "person.second-factor-removed",
    detail: { kind: "totp" },
    change: async (tx) => {
      const removed = await deleteTotp(tx, self.actor.id);
      if (removed) await dropUnneededCodes(tx, self.actor.id);
      return removed;
    },
  });
}

async function offerOf({ store, actor }: Self, secret: string): Promise<TotpOffer> {
  const email = (await personById(store, actor.id))?.email ?? "";
  return { secret, uri: totpUri({ secret, email }) };
}
