import "server-only";
import type { PersonActor } from "#lib/access/model/actor";
import { hasRecentProof } from "#lib/access/model/proof";
import type { ProofKind } from "#lib/person/model/proof-kind";
import { ownLink, type OwnLink } from "./own-link.ts";
import { contextOf, proofKind } from "#lib/person/session/person";
import { ssoIssuer, ssoLabel } from "./sso-settings.ts";
import { now } from "#lib/platform/now";

/** A person's own single sign-on, as their pages show it. */
export type OwnSignOn = {
  /** The operator's label of the provider, and its issuer. */
  readonly label: string;
  readonly issuer: string;
  readonly link: OwnLink | undefined;
  /** This session began through the provider. */
  readonly isOwnSession: boolean;
  /** The last proof of identity is still valid. */
  readonly isProved: boolean;
  readonly kind: ProofKind;
};

/** Undefined where no provider is configured. */
export async function ownSignOn(person: PersonActor): Promise<OwnSignOn | undefined> {
  const [issuer, label] = [ssoIssuer(), ssoLabel()];
  if (issuer === undefined || label === undefined) return undefined;
  return {
    ...{ label, issuer },
    link: await ownLink(contextOf(person), issuer),
    isOwnSession: person.issuer === issuer,
    isProved: hasRecentProof(person, now()),
    kind: await proofKind(person),
  };
}
