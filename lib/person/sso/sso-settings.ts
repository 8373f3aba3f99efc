import { issuerName } from "#lib/person/model/identity";
import { env } from "#lib/platform/env";

/** The provider people may sign in with, and what this service is to it. */
export type SsoSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly groupsClaim: string;
  /** Values of `acr` or `amr` of which one says that a second factor was used. */
  readonly secondFactors: readonly string[];
  /** Where the provider sends the browser back to; registered there, exactly so. */
  readonly backUrl: string;
  /** How long one request to the provider may take. */
  readonly timeoutS: number;
};

/** Undefined where people sign in with passwords alone. */
export function ssoSettings(): SsoSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env();
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret,
    scope: env().OIDC_SCOPE,
    groupsClaim: env().OIDC_GROUPS_CLAIM,
    secondFactors: env().OIDC_MFA,
    backUrl: `${env().PUBLIC_URL.replace(/\/$/, "")}/sign-in/sso/back`,
    timeoutS: 5,
  };
}

/** The provider's name for itself, as what is linked to it has it; undefined where there is none. */
export function ssoIssuer(): string | undefined {
  const settings = ssoSettings();
  return settings && issuerName(settings.issuer);
}

/** What people here call the provider; undefined where there is none. */
export function ssoLabel(): string | undefined {
  return ssoSettings() && env().OIDC_LABEL;
}
