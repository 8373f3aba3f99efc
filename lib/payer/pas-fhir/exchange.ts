import type { Call, Transport } from "#lib/payer/connector";
import { exchange, type Exchange } from "#lib/platform/outbound/exchange";
import { hasPrivateKey, keyNotSent } from "#lib/payer/private-key";
import { smartToken } from "#lib/payer/smart";
import { createTokens, exchangeWithToken } from "#lib/payer/tokens";
import { payerReasons } from "#lib/messages/reasons/payer";
import { readSettings } from "./settings.ts";

const tokens = createTokens();

/** Carries one call to the payer, with the proof of who we are that its route asks for: a fixed bearer or a SMART token. */
export async function exchangeWithPayer(call: Call, transport: Transport): Promise<Exchange> {
  const { auth, tokenUrl, clientId, keyId, scope } = readSettings(transport.route ?? { settings: {} });
  const { credential } = transport;
  if (auth === "bearer") {
    if (credential !== undefined && hasPrivateKey(credential)) return { kind: "unsent", reason: keyNotSent };
    return exchange(call, transport);
  }
  if (credential === undefined || clientId === undefined)
    return { kind: "unsent", reason: payerReasons.noTokenCredential };
  const source = smartToken({ base: baseOf(call), tokenUrl, clientId, keyId, scope, credential });
  return exchangeWithToken(call, transport, { tokens, source });
}

/** The FHIR base under which an operation or a resource type was called. */
function baseOf({ url }: Call): string {
  return url.replace(/\/(?:Claim\/\$[a-z]+|Subscription(?:\/[^/]+)?|metadata)$/, "");
}
