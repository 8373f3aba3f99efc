import "server-only";
import type { PersonActor } from "#lib/domain/actor";
import { issuerName } from "#lib/domain/identity";
import { isProved } from "#lib/domain/proof";
import type { ProofKind } from "#lib/store/second-factors";
import { ownLink, type OwnLink } from "./own-link.ts";
import { contextOf, proofKind } from "./person.ts";
import { ssoLabel, ssoSettings } from "./sso-settings.ts";

/** Somebody's own single sign-on, as their pages show it. */
export type OwnSignOn = {
  /** What people here call the provider, and its name for itself. */
  readonly label: string;
  readonly issuer: string;
  readonly link: OwnLink | undefined;
  /** This session was begun through the provider. */
  readonly isOwnSession: boolean;
  /** Their last proof of who they are still holds. */
  readonly isProved: boolean;
  readonly kind: ProofKind;
};

/** Undefined where there is no provider. */
export async function ownSignOn(person: PersonActor): Promise<OwnSignOn | undefined> {
  const [settings, label] = [ssoSettings(), ssoLabel()];
  if (!settings || label === undefined) return undefined;
  const issuer = issuerName(settings.issuer);
  return {
    ...{ label, issuer },
    link: await ownLink(contextOf(person), issuer),
    isOwnSession: person.issuer === issuer,
    isProved: isProved(person, new Date()),
    kind: await proofKind(person),
  };
}
