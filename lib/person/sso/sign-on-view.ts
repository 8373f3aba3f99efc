import "server-only";
import type { PersonActor } from "#lib/access/model/actor";
import { isProved } from "#lib/access/model/proof";
import type { ProofKind } from "#lib/person/store/second-factors";
import { ownLink, type OwnLink } from "./own-link.ts";
import { contextOf, proofKind } from "#lib/person/session/person";
import { ssoIssuer, ssoLabel } from "./sso-settings.ts";
import { now } from "#lib/platform/now";

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
  const [issuer, label] = [ssoIssuer(), ssoLabel()];
  if (issuer === undefined || label === undefined) return undefined;
  return {
    ...{ label, issuer },
    link: await ownLink(contextOf(person), issuer),
    isOwnSession: person.issuer === issuer,
    isProved: isProved(person, now()),
    kind: await proofKind(person),
  };
}
