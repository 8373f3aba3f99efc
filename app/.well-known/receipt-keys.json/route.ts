import { env } from "#lib/platform/env";
import { publishedKeys } from "#lib/platform/signing-keys";

// The keys are known only where the service runs.
export const dynamic = "force-dynamic";

/** The public keys decisions' receipts are signed with, now and before, as a JWK set (RFC 7517). */
export function GET(): Response {
  const { RECEIPT_SIGNING_KEY, RECEIPT_PAST_KEYS } = env();
  return Response.json(
    { keys: publishedKeys(RECEIPT_SIGNING_KEY, RECEIPT_PAST_KEYS) },
    { headers: { "content-type": "application/jwk-set+json", "cache-control": "public, max-age=300" } },
  );
}
