import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { PasskeySite } from "#lib/person/second-factor/passkey-site";
import type { PasskeyResponse } from "#lib/person/second-factor/passkeys";

/** Its user is there, and was verified. */
const userPresent = 0x01;
const userVerified = 0x04;
const keyAttached = 0x40;

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

type Signing = { readonly challenge: string; readonly counter?: number; readonly isVerified?: boolean };

/** A device that keeps one passkey for a site, in this process: what it makes and signs is as a browser sends it (WebAuthn). */
export function softPasskey({ rpId, origin }: PasskeySite) {
  const handle = randomBytes(32);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // An ES256 key as COSE writes it (RFC 9053).
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, "base64url"))],
    [-3, new Uint8Array(Buffer.from(y, "base64url"))],
  ]);
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = (flags: number, counter: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  const common = { id: base64url(handle), rawId: base64url(handle), type: "public-key", clientExtensionResults: {} };
  return {
    id: common.id,
    make: ({ challenge, counter = 0 }: Signing): PasskeyResponse => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(handle.length);
      const attached = Buffer.concat([Buffer.alloc(16), length, handle, isoCBOR.encode(key)]);
      const authData = Buffer.concat([head(userPresent | userVerified | keyAttached, counter), attached]);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ["fmt", "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", new Uint8Array(authData)],
      ]);
      const response = {
        clientDataJSON: base64url(clientData("webauthn.create", challenge)),
        attestationObject: base64url(isoCBOR.encode(attestation)),
        transports: ["internal"],
      };
      return { ...common, response };
    },
    sign: ({ challenge, counter = 0, isVerified = true }: Signing): PasskeyResponse => {
      const client = clientData("webauthn.get", challenge);
      const authData = head(userPresent | (isVerified ? userVerified : 0), counter);
      const signature = sign("sha256", Buffer.concat([authData, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      };
      return { ...common, response };
    },
  };
}
