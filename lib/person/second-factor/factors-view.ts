import "server-only";
import encodeQR from "qr";
import type { PersonActor } from "#lib/access/model/actor";
import { env } from "#lib/platform/env";
import { accountStore } from "#lib/person/session/account-store";
import { loadSecondFactors, type SecondFactors } from "#lib/person/store/second-factors";
import type { ProofKind } from "#lib/person/model/proof-kind";
import { offeredTotp } from "./own-totp.ts";
import { passkeySite } from "./passkey-site.ts";
import { currentSession, proofKind, selfOf } from "#lib/person/session/person";
import { ssoSettings } from "#lib/person/sso/sso-settings";

/** A person's own second factors, as their page shows them. */
export type OwnFactors = SecondFactors & {
  readonly any: boolean;
  /** They need a second factor and have shown none in this session. */
  readonly needed: boolean;
  readonly kind: ProofKind;
  /** The session began through the provider, which may report a second factor of its own. */
  readonly byProvider: boolean;
  /** Whether browsers allow passkeys at the service's public address. */
  readonly passkeysWork: boolean;
  readonly address: string;
  /** A new authenticator secret that waits for its first code. */
  readonly offer?: { readonly secret: string; readonly qr: ReturnType<typeof qrPath> } | undefined;
};

export async function ownFactors(person: PersonActor): Promise<OwnFactors> {
  const self = await selfOf(person);
  const factors = await loadSecondFactors(accountStore(), person.id);
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

/** A QR code as one SVG path of unit squares, with the quiet zone that readers need. */
function qrPath(text: string): { readonly size: number; readonly path: string } {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return { size: rows.length, path };
}
