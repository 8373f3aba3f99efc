import "server-only";
import type { PersonActor } from "#lib/access/model/actor";
import { env } from "#lib/platform/env";
import { sharedStore } from "#lib/db/db";
import { loadSecondFactors, type ProofKind, type SecondFactors } from "#lib/person/store/second-factors";
import { offeredTotp } from "./own-totp.ts";
import { passkeySite } from "./passkey-site.ts";
import { currentSession, proofKind, selfOf } from "#lib/person/session/person";
import { qrPath } from "./qr.ts";
import { ssoSettings } from "#lib/person/sso/sso-settings";

/** Somebody's own second factors, as their page shows them. */
export type OwnFactors = SecondFactors & {
  readonly any: boolean;
  /** They need one, and have shown none in this session. */
  readonly needed: boolean;
  readonly kind: ProofKind;
  /** They came through the provider, which may tell of a second factor of its own. */
  readonly byProvider: boolean;
  /** Whether browsers let passkeys work at the service's public address. */
  readonly passkeysWork: boolean;
  readonly address: string;
  /** A secret that waits for its first code. */
  readonly offer?: { readonly secret: string; readonly qr: ReturnType<typeof qrPath> } | undefined;
};

export async function ownFactors(person: PersonActor): Promise<OwnFactors> {
  const self = await selfOf(person);
  const factors = await loadSecondFactors(sharedStore(), person.id);
  const offered = self && !factors.totpSince ? await offeredTotp(self) : undefined;
  const any = factors.totpSince !== undefined || factors.passkeys.length > 0;
  const site = { passkeysWork: passkeySite() !== undefined, address: env().PUBLIC_URL };
  const needed = (await currentSession())?.lacksSecondFactor ?? false;
  const kind = await proofKind(person);
  return {
    ...factors,
    ...site,
    any,
    needed,
    kind,
    byProvider: kind === "provider" && (ssoSettings()?.secondFactors.length ?? 0) > 0,
    offer: offered && { secret: offered.secret, qr: qrPath(offered.uri) },
  };
}
