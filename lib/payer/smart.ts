import { createHash, randomUUID } from "node:crypto";
import { importJWK, SignJWT, type JWK } from "jose";
import { z } from "zod";
import { exchange, hostOutcome, type HostOutcome } from "#lib/platform/outbound/exchange";
import { payerReasons } from "#lib/messages/reasons/payer";
import { jsonOf, requestToken, type FetchedToken, type TokenSource } from "./tokens.ts";

/** The settings of a route for SMART Backend Services; `credential` is our private key as a JWK. */
export type SmartClient = {
  /** The FHIR base address, under which the payer publishes its token endpoint. */
  readonly base: string;
  /** The token endpoint, if the route names it. */
  readonly tokenUrl?: string | undefined;
  readonly clientId: string;
  /** The `kid` of our public key at the payer; the key's own if absent. */
  readonly keyId?: string | undefined;
  readonly scope?: string | undefined;
  readonly credential: string;
};

const defaultScope = "system/Claim.cruds system/ClaimResponse.rs system/Subscription.cruds";

/** The lifetime of an assertion; SMART allows at most five minutes. */
const assertionSeconds = 300;

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** A token by SMART Backend Services: client credentials with a signed assertion (`private_key_jwt`). */
export function smartToken(client: SmartClient): TokenSource {
  const { base, tokenUrl, clientId, keyId, scope, credential } = client;
  const parts = [base, tokenUrl ?? "", clientId, keyId ?? "", scope ?? "", credential];
  return {
    key: createHash("sha256").update(JSON.stringify(parts)).digest("hex"),
    fetch: (signal) => fetchToken(client, signal),
  };
}

async function fetchToken(client: SmartClient, signal: AbortSignal): Promise<FetchedToken> {
  const { url, outcome } =
    client.tokenUrl === undefined ? await discover(client.base, signal) : { url: client.tokenUrl, outcome: undefined };
  if (url === undefined) return { ...refused(payerReasons.noTokenEndpoint), outcome };
  if (client.tokenUrl === undefined && !isSameHost(url, client.base))
    return { ...refused(payerReasons.tokenEndpointElsewhere), outcome };
  const assertion = await signedAssertion(client, url);
  if (assertion === undefined) return refused(payerReasons.noSigningKey);
  const form = {
    grant_type: "client_credentials",
    scope: client.scope ?? defaultScope,
    client_assertion_type: assertionType,
    client_assertion: assertion,
  };
  return requestToken({ url, form }, signal);
}

/**
 * Whether a payer names an endpoint of its own. Otherwise it could name another payer's, have us get a token there with
 * the same key, and be sent that token with the next request.
 */
function isSameHost(url: string, base: string): boolean {
  return URL.parse(url)?.hostname === URL.parse(base)?.hostname;
}

const configurationSchema = z.object({ token_endpoint: z.url({ protocol: /^https?$/ }) });

type Discovery = { readonly url: string | undefined; readonly outcome?: HostOutcome | undefined };

async function discover(base: string, signal: AbortSignal): Promise<Discovery> {
  const url = `${base.replace(/\/+$/, "")}/.well-known/smart-configuration`;
  const call = { method: "GET", url, contentType: "application/json", body: new Uint8Array() };
  const reply = await exchange(call, { signal });
  const read = reply.kind === "reply" && reply.status === 200 ? jsonOf(reply.bytes) : undefined;
  return { url: configurationSchema.safeParse(read).data?.token_endpoint, outcome: hostOutcome(reply) };
}

const jwkSchema = z.discriminatedUnion("kty", [
  z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string(), d: z.string() }),
  z.looseObject({ kty: z.literal("EC"), crv: z.literal("P-384"), x: z.string(), y: z.string(), d: z.string() }),
]);

/** The two algorithms that SMART requires of every server. */
const algorithms = { RSA: "RS384", EC: "ES384" } as const;

async function signedAssertion(
  { credential, clientId, keyId }: SmartClient,
  audience: string,
): Promise<string | undefined> {
  const jwk = jwkSchema.safeParse(jsonOf(Buffer.from(credential, "utf8")));
  if (!jwk.success) return undefined;
  const alg = algorithms[jwk.data.kty];
  // Safe because the schema requires the members of a private key of this type.
  const { kid } = jwk.data as JWK;
  try {
    const key = await importJWK(jwk.data as JWK, alg);
    const header = { alg, typ: "JWT", ...((keyId ?? kid) ? { kid: keyId ?? kid } : {}) };
    return await new SignJWT()
      .setProtectedHeader(header)
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime(`${assertionSeconds}s`)
      .sign(key);
  } catch {
    return undefined;
  }
}

function refused(reason: string): Extract<FetchedToken, { ok: false }> {
  return { ok: false, reason };
}
