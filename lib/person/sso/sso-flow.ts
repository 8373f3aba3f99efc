import * as oidc from "openid-client";
import { isSubject, issuerName, type SsoIdentity } from "#lib/person/model/identity";
import { ok, refuse, type Result } from "#lib/platform/result";
import { providerOf } from "./sso-provider.ts";
import { asksAnew, type SsoPurpose } from "./sso-purpose.ts";
import type { SsoSettings } from "./sso-settings.ts";
import { nowMs } from "#lib/platform/now";

/** What this service has to remember of a trip until the browser is back; the browser keeps it, sealed. */
export type SsoTrip = {
  readonly purpose: SsoPurpose;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it set out, in milliseconds. */
  readonly since: number;
};

/** Why nobody came back; `cause` is for the log. */
export type SsoFailure = {
  /** The provider cannot be reached or does not work; it said no; or what came back does not hold. */
  readonly type: "no-answer" | "declined" | "not-valid" | NoNewProof;
  readonly cause: unknown;
};

/** Asked to ask anew, it does not say when it last did; or it let them through by what they had shown before. */
type NoNewProof = "no-auth-time" | "not-asked-anew";

/** The provider's page to send the browser to, by the authorization code flow with PKCE, state and nonce. */
export async function startTrip(
  settings: SsoSettings,
  purpose: SsoPurpose,
): Promise<Result<{ trip: SsoTrip; url: URL }, SsoFailure>> {
  try {
    const provider = await providerOf(settings);
    const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: settings.backUrl,
      scope: settings.scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(asksAnew(purpose) ? { prompt: "login" } : {}),
      ...(purpose.kind === "prove" ? { max_age: "0" } : {}),
    });
    return ok({ trip: { purpose, state, nonce, verifier, since: nowMs() }, url });
  } catch (cause) {
    return refuse({ type: "no-answer", cause });
  }
}

/**
 * Who came back, once everything holds: the state is this trip's, the issuer (RFC 9207) and the code are the
 * provider's, and the id token is signed by it, for this service, in time, with this trip's nonce. Where it is to
 * prove anew who somebody is, they showed it to the provider (`auth_time`) since the trip set out, give or take the half
 * minute by which two clocks may differ. The tokens are dropped here.
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
    const lack = trip.purpose.kind === "prove" ? lackOfProof(identity, trip) : undefined;
    return lack ? refuse({ type: lack, cause: new Error("The id token is no new proof.") }) : ok(identity);
  } catch (cause) {
    return refuse({ type: failureOf(cause), cause });
  }
}

/** By which two clocks may differ. */
const clockDifferenceS = 30;

function lackOfProof({ authTime }: SsoIdentity, { since }: SsoTrip): NoNewProof | undefined {
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

/** A claim that holds one text or several; whatever else it holds counts for nothing. */
function textsOf(claim: unknown): readonly string[] {
  return (Array.isArray(claim) ? claim : [claim]).filter((item) => typeof item === "string");
}

const outOfReach = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR",
]);
const unwell = new Set(["server_error", "temporarily_unavailable"]);

function failureOf(cause: unknown): SsoFailure["type"] {
  if (cause instanceof oidc.AuthorizationResponseError) return unwell.has(cause.error) ? "no-answer" : "declined";
  if (cause instanceof oidc.ClientError) return outOfReach.has(cause.code ?? "") ? "no-answer" : "not-valid";
  // What `fetch` throws where there is no connection.
  return cause instanceof TypeError && cause.message === "fetch failed" ? "no-answer" : "not-valid";
}
