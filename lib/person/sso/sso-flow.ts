import * as oidc from "openid-client";
import { isSubject, issuerName, type SsoIdentity } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { providerOf } from "./sso-provider.ts";
import { needsReauthentication, type SsoPurpose } from "./sso-purpose.ts";
import type { SsoSettings } from "./sso-settings.ts";
import { nowMs } from "#lib/platform/now";

/** What the service has to remember until the browser is back. The browser stores it, encrypted. */
export type SsoTrip = {
  readonly purpose: SsoPurpose;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it started, in milliseconds. */
  readonly since: number;
};

/** Why a sign-in at the provider failed; `cause` is for the log. */
export type SsoFailure = {
  /**
   * The provider is unreachable or broken; it declined; it does not accept this service as it is registered there; or
   * its answer does not verify.
   */
  readonly type: "no-answer" | "declined" | "not-accepted" | "not-valid" | ProofProblem;
  readonly cause: unknown;
};

/**
 * The provider had to authenticate the person again: it does not say when it did, or it accepted an earlier
 * authentication.
 */
type ProofProblem = "no-auth-time" | "not-asked-anew";

/**
 * The provider's address to send the browser to, for the authorization code flow with PKCE, state and nonce. Where the
 * provider requires it, it is given the request first and the browser takes along a reference (RFC 9126).
 */
export async function startTrip(
  settings: SsoSettings,
  purpose: SsoPurpose,
): Promise<Result<{ trip: SsoTrip; url: URL }, SsoFailure>> {
  try {
    const provider = await providerOf(settings);
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const isPushed = provider.serverMetadata().require_pushed_authorization_requests === true;
    const addressOf = isPushed ? oidc.buildAuthorizationUrlWithPAR : oidc.buildAuthorizationUrl;
    const url = await addressOf(provider, {
      redirect_uri: settings.backUrl,
      scope: settings.scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(needsReauthentication(purpose) ? { prompt: "login", max_age: "0" } : {}),
    });
    return ok({ trip: { purpose, state, nonce, verifier, since: nowMs() }, url });
  } catch (cause) {
    return refuse({ type: failureOf(cause) === "not-accepted" ? "not-accepted" : "no-answer", cause });
  }
}

/**
 * The account that came back, once everything verifies: the state is of this sign-in, issuer (RFC 9207) and code are
 * the provider's, and the id token is signed by it, for this service, in time, with this nonce. Where the
 * provider was told to ask the person again, it must have done so (`auth_time`) since the start, allowing half a minute
 * between two clocks: the browser may have left that out of the address. The tokens are dropped here.
 */
export async function endTrip(
  settings: SsoSettings,
  trip: SsoTrip,
  came: URLSearchParams,
): Promise<Result<SsoIdentity, SsoFailure>> {
  try {
    const provider = await providerOf(settings);
    const tokens = await oidc.authorizationCodeGrant(provider, new URL(`${settings.backUrl}?${came.toString()}`), {
      expectedState: trip.state,
      expectedNonce: trip.nonce,
      pkceCodeVerifier: trip.verifier,
      idTokenExpected: true,
    });
    const identity = identityOf(tokens.claims(), settings);
    if (!identity) return refuse({ type: "not-valid", cause: new Error("The subject is malformed.") });
    const lack = needsReauthentication(trip.purpose) ? proofProblem(identity, trip) : undefined;
    return lack ? refuse({ type: lack, cause: new Error("The id token is no new proof.") }) : ok(identity);
  } catch (cause) {
    return refuse({ type: failureOf(cause), cause });
  }
}

/** How far two clocks may differ. */
const clockDifferenceS = 30;

function proofProblem({ authTime }: SsoIdentity, { since }: SsoTrip): ProofProblem | undefined {
  if (!authTime) return "no-auth-time";
  return authTime.getTime() < since - clockDifferenceS * 1_000 ? "not-asked-anew" : undefined;
}

function identityOf(claims: oidc.IDToken | undefined, settings: SsoSettings): SsoIdentity | undefined {
  if (!claims || !isSubject(claims.sub)) return undefined;
  const methods = [...textsOf(claims["acr"]), ...textsOf(claims["amr"])];
  return {
    issuer: issuerName(claims.iss),
    subject: claims.sub,
    groups: textsOf(claims[settings.groupsClaim]),
    hasSecondFactor: methods.some((method) => settings.secondFactors.includes(method)),
    authTime: claims.auth_time === undefined ? undefined : new Date(claims.auth_time * 1_000),
  };
}

/** The texts of a claim that has one or several; other values are ignored. */
function textsOf(claim: unknown): readonly string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((item) => typeof item === "string");
}

const unreachableCodes = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);
const temporaryErrors = new Set(["server_error", "temporarily_unavailable"]);
/** Errors by which a provider says that this service asks for what it may not, or not as the provider wants it. */
const registrationErrors = new Set([
  ...["invalid_request", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"],
  ...["unsupported_response_type", "unsupported_grant_type", "request_not_supported", "invalid_request_object"],
]);

function failureOf(cause: unknown): SsoFailure["type"] {
  const error = providerError(cause);
  if (error !== undefined && registrationErrors.has(error)) return "not-accepted";
  if (error !== undefined && temporaryErrors.has(error)) return "no-answer";
  if (cause instanceof oidc.AuthorizationResponseError) return "declined";
  if (cause instanceof oidc.ClientError) return unreachableCodes.has(cause.code ?? "") ? "no-answer" : "not-valid";
  // `fetch` throws this where there is no connection.
  return cause instanceof TypeError && cause.message === "fetch failed" ? "no-answer" : "not-valid";
}

/**
 * The provider's own error code. A challenge in place of one says that it did not take this service's id and secret (RFC
 * 6749, section 5.2).
 */
export function providerError(cause: unknown): string | undefined {
  if (cause instanceof oidc.WWWAuthenticateChallengeError) return "invalid_client";
  const hasError = cause instanceof oidc.AuthorizationResponseError || cause instanceof oidc.ResponseBodyError;
  return hasError ? cause.error : undefined;
}
