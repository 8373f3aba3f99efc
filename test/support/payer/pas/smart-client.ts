import { generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";

type Json = Record<string, unknown>;

/** A SMART Backend Services client of a test's own making, without the connector's code. */
export type SmartClient = {
  readonly clientId: string;
  readonly jwks: { readonly keys: readonly Json[] };
  /** The form of a token request; `claims`, `header` and `form` replace members. */
  readonly form: (
    tokenUrl: string,
    changes?: { claims?: Json; header?: Json; form?: Record<string, string> },
  ) => URLSearchParams;
};

export function aSmartClient(alg: "RS384" | "ES384" = "ES384"): SmartClient {
  const { privateKey, publicKey } =
    alg === "ES384"
      ? generateKeyPairSync("ec", { namedCurve: "P-384" })
      : generateKeyPairSync("rsa", { modulusLength: 2048 });
  const clientId = `client-${randomUUID()}`;
  const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1", alg, use: "sig" }] };
  return {
    clientId,
    jwks,
    form: (tokenUrl, { claims = {}, header = {}, form = {} } = {}) => {
      const exp = Math.floor(Date.now() / 1000) + 240;
      const all = { iss: clientId, sub: clientId, aud: tokenUrl, exp, jti: randomUUID(), ...claims };
      return new URLSearchParams({
        grant_type: "client_credentials",
        scope: "system/Claim.cruds",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: signed({ alg, kid: "k1", typ: "JWT", ...header }, all, privateKey),
        ...form,
      });
    },
  };
}

function signed(header: Json, claims: Json, key: KeyObject): string {
  const input = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha384", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
  return `${input}.${signature.toString("base64url")}`;
}
