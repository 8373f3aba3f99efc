import { ok, refuse, type Result } from "#lib/platform/result";
import { dropUnneededCodes } from "#lib/person/store/second-factors";
import { confirmTotpRow, deleteTotp, keepTotp, loadTotp } from "#lib/person/store/totp";
import { personById } from "#lib/person/store/people";
import { addFactor, changeOwn, provedSelf, type AddedFactor, type FactorRefusal, type Self } from "./own-factors.ts";
import { newTotpSecret, timeStepOf, totpUri } from "./totp.ts";

/** What an authenticator app is given: the secret in base32, and as the address a camera reads. */
export type TotpOffer = { readonly secret: string; readonly uri: string };

/** Makes a secret that does not count until a code of it is shown. Where an app counts already, that one goes first. */
export async function beginTotp(self: Self): Promise<Result<TotpOffer, FactorRefusal>> {
  const proved = provedSelf(self);
  if (!proved.ok) return proved;
  const secret = newTotpSecret();
  if (!(await keepTotp(self.store, self.actor.id, secret))) return refuse("not-found");
  return ok(await offerOf(self, secret));
}

/** The secret that waits for its first code, to be shown again where a code was wrong. */
export async function offeredTotp(self: Self): Promise<TotpOffer | undefined> {
  const totp = provedSelf(self).ok ? await loadTotp(self.store, self.actor.id) : undefined;
  return totp && !totp.confirmed ? offerOf(self, totp.secret) : undefined;
}

/** Lets the app's codes count once one of them is right. That one is spent. */
export async function confirmTotp(self: Self, { code }: { code: string }): Promise<Result<AddedFactor, FactorRefusal>> {
  const proved = provedSelf(self);
  if (!proved.ok) return proved;
  const personId = self.actor.id;
  const totp = await loadTotp(self.store, personId);
  if (!totp || totp.confirmed) return refuse("not-found");
  const timeStep = await timeStepOf(code.replaceAll(/\s/g, ""), totp);
  if (timeStep === undefined) return refuse("wrong-code");
  const { createdAt } = totp;
  return addFactor(self, { kind: "totp", add: (tx) => confirmTotpRow(tx, { personId, createdAt, timeStep }) });
}

/** Takes the app's codes out of force; with the last factor go the recovery codes. */
export function removeTotp(self: Self): Promise<Result<undefined, FactorRefusal>> {
  return changeOwn(self, {
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
