import { createHash } from "node:crypto";
import { assert } from "#lib/platform/result";
import type { Call, Transport } from "#lib/payer/connector";
import type { Exchange } from "#lib/platform/outbound/exchange";
import { createTokens, exchangeWithToken, requestToken, type TokenSource } from "#lib/payer/tokens";
import { readSettings } from "./settings.ts";

const tokens = createTokens();

/** Carries one call to the clearinghouse with a token by client credentials (RFC 6749, 4.4); the secret is the route's credential. */
export async function exchangeWithPayer(call: Call, transport: Transport): Promise<Exchange> {
  const { route, credential } = transport;
  assert(route, "this wire is spoken under a route's settings");
  if (credential === undefined) return { kind: "unsent", reason: "The route has no client secret." };
  return exchangeWithToken(call, transport, { tokens, source: tokenSource(readSettings(route), credential) });
}

/** The route's token by its client id and secret. */
export function tokenSource(
  { tokenUrl, scope, clientId }: ReturnType<typeof readSettings>,
  credential: string,
): TokenSource {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: credential, scope };
  return {
    key: createHash("sha256")
      .update(JSON.stringify([tokenUrl, form]))
      .digest("hex"),
    fetch: (signal) => requestToken({ url: tokenUrl, form }, signal),
  };
}
