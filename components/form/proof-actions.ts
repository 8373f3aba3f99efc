"use server";

import { z } from "zod";
import { proveByPasskey } from "#lib/person/second-factor/passkey-sign-in";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { requestSignature } from "#lib/person/second-factor/passkeys";
import { accountStore } from "#lib/person/session/account-store";
import { currentSessionId } from "#lib/person/session/person";
import { ok, refuse, type Result } from "#lib/platform/result";
import { call } from "./action.tsx";
import { credential } from "./form-schema.tsx";

/** Browsers allow no passkeys at this address, or what was signed proves nothing. */
type NotProved = { readonly type: "no-passkeys" | "not-proved" };

const noPasskeys = refuse({ type: "no-passkeys" });

/** What a passkey of the signed-in person is to sign, to prove again who they are. */
export const askProof = call(z.unknown(), async ({ actor }) => {
  const [site, sessionId] = [passkeySite(), await currentSessionId()];
  if (!site || sessionId === undefined) return noPasskeys;
  return ok(
    await requestSignature(accountStore(), { site, requester: `session:${sessionId}:prove`, personId: actor.id }),
  );
});

/** Whether what it signed proves who they are; it holds for ten minutes. */
export const showProof = call(
  z.object({ response: credential }),
  async ({ actor }, { response }): Promise<Result<true, NotProved>> => {
    const [site, sessionId] = [passkeySite(), await currentSessionId()];
    if (!site || sessionId === undefined) return noPasskeys;
    const provedAt = await proveByPasskey(accountStore(), { personId: actor.id, sessionId, site, response });
    return provedAt ? ok(true) : refuse({ type: "not-proved" });
  },
);
