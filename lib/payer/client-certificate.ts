import { createPrivateKey, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { ClientCertificate } from "#lib/platform/outbound/open-socket";
import { hasPrivateKey, keyNotSent } from "#lib/payer/private-key";
import { ok, refuse, type Result } from "#lib/platform/result";
import { settingProblems } from "#lib/messages/problems/admin";
import { payerReasons } from "#lib/messages/reasons/payer";

/** The certificate by which a payer's TLS knows us: X.509 in DER, base64, without the lines of PEM around it. */
export const certificateSetting = z
  .string()
  .refine((text) => certificateIn(text) !== undefined, settingProblems.certificate);

/** What a connection has to prove who we are: the client secret, and the key of its certificate where it has one. */
export type ClientProof = { readonly secret: string; readonly certificate?: ClientCertificate | undefined };

const both = z.object({ clientSecret: z.string().min(1), privateKey: z.looseObject({ kty: z.string() }) });

/**
 * Reads the credential of a connection. Without a certificate it is the client secret; with one it is JSON of
 * `clientSecret` and `privateKey` (a JWK), because a connection has one credential, which is sealed as a whole. Refused
 * with the reason if it has no key of that certificate; the reason holds nothing of it.
 */
export function clientProof(credential: string, certificate: string | undefined): Result<ClientProof, string> {
  if (certificate === undefined) return hasPrivateKey(credential) ? refuse(keyNotSent) : ok({ secret: credential });
  const read = both.safeParse(jsonIn(credential));
  if (!read.success) return refuse(payerReasons.noPrivateKey);
  const { clientSecret: secret, privateKey } = read.data;
  const x509 = certificateIn(certificate);
  try {
    const key = createPrivateKey({ key: privateKey, format: "jwk" });
    if (x509?.checkPrivateKey(key) !== true) return refuse(payerReasons.otherPrivateKey);
    const pem = key.export({ type: "pkcs8", format: "pem" }).toString();
    return ok({ secret, certificate: { cert: x509.toString(), key: pem } });
  } catch {
    return refuse(payerReasons.unreadablePrivateKey);
  }
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
