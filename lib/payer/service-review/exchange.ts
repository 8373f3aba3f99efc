import { createHash } from "node:crypto";
import { assert } from "#lib/platform/result";
import { payerReasons } from "#lib/messages/reasons/payer";
import type { Call, Transport } from "#lib/payer/connector";
import { clientProof, type ClientProof } from "#lib/payer/client-certificate";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { createTokens, exchangeWithToken, requestToken, type TokenRequest, type TokenSource } from "#lib/payer/tokens";
import { readSettings } from "./settings.ts";

const tokens = createTokens();

/** Carries one call to the clearinghouse with a token by client credentials (RFC 6749, 4.4); the secret is the route's credential. */
export async function exchangeWithPayer(call: Call, transport: Transport): Promise<Exchange> {
  const { route, credential } = transport;
  assert(route, "this wire is spoken under a route's settings");
  if (credential === undefined) return { kind: "unsent", reason: payerReasons.noClientSecret };
  const settings = readSettings(route);
  const proof = clientProof(credential, settings.clientCertificate);
  if (!proof.ok) return { kind: "unsent", reason: proof.refusal };
  const { certificate } = proof.value;
  return exchangeWithToken(call, { ...transport, certificate }, { tokens, source: tokenSource(settings, proof.value) });
}

/** The route's token by its client id and secret. */
export function tokenSource(settings: ReturnType<typeof readSettings>, proof: ClientProof): TokenSource {
  const request = tokenRequest(settings, proof);
  return {
    key: createHash("sha256").update(JSON.stringify(request)).digest("hex"),
    fetch: (signal) => requestToken(request, signal),
  };
}

function tokenRequest(
  { tokenUrl: url, scope, clientId, tokenAuth }: ReturnType<typeof readSettings>,
  { secret, certificate }: ClientProof,
): TokenRequest {
  const grant = { grant_type: "client_credentials" };
  if (tokenAuth === "client_secret_basic")
    return { url, form: { ...grant, scope }, basic: [clientId, secret], certificate };
  return { url, form: { ...grant, client_id: clientId, client_secret: secret, scope }, certificate };
}
