import { issuerName } from "#lib/person/model/identity";
import { env } from "#lib/platform/env";

/** The single sign-on provider, and this service's registration with it. */
export type SsoSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly groupsClaim: string;
  /** Values of `acr` or `amr`; any of them means that a second factor was used. */
  readonly secondFactors: readonly string[];
  /** The redirect address, exactly as registered with the provider. */
  readonly backUrl: string;
  /** How long one request to the provider may take, in seconds. */
  readonly timeoutS: number;
};

/** Undefined where no provider is configured. */
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
    backUrl: `${env().PUBLIC_URL}/sign-in/sso/back`,
    timeoutS: 5,
  };
}

/** The provider's issuer, as links store it; undefined where none is configured. */
export function ssoIssuer(): string | undefined {
  const settings = ssoSettings();
  return settings && issuerName(settings.issuer);
}

/** The operator's label of the provider; undefined where none is configured. */
export function ssoLabel(): string | undefined {
  return ssoSettings() && env().OIDC_LABEL;
}
