import { generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/** A private key with its certificate, both PEM, as a server is given them. */
export type KeyPair = { readonly key: string; readonly cert: string };

type Issuer = { readonly name: Buffer; readonly privateKey: KeyObject };

const dayMs = 86_400_000;

/** An authority that nobody knows until it is trusted, and what it certifies: a host, until so many days from now. */
export function anAuthority() {
  const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = { name: nameOf(`Authority ${randomBytes(4).toString("hex")}`), privateKey: pair.privateKey };
  const isAuthority = extension("551d13", der(0x30, der(0x01, Buffer.from([0xff]))));
  const { cert } = certified(issuer, { ...pair, subject: issuer.name, extensions: isAuthority, days: 1 });
  const certify = (host: string, { days = 1, by = issuer }: { days?: number; by?: Issuer } = {}): KeyPair => {
    const value = isIP(host) === 4 ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
    const leaf = { ...generateKeyPairSync("ec", { namedCurve: "P-256" }), subject: nameOf("Leaf"), days };
    return certified(by, { ...leaf, extensions: extension("551d11", der(0x30, value)) });
  };
  return { cert, certify };
}

type Subject = {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly subject: Buffer;
  readonly extensions: Buffer;
  readonly days: number;
};

/** X.509 version 3 (RFC 5280), signed by ECDSA with SHA-256. */
function certified(issuer: Issuer, { publicKey, privateKey, subject, extensions, days }: Subject): KeyPair {
  const algorithm = der(0x30, oid("2a8648ce3d040302"));
  const signed = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer.name,
    der(0x30, instant(Date.now() - 30 * dayMs), instant(Date.now() + days * dayMs)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extensions)),
  );
  const signature = sign("sha256", signed, issuer.privateKey);
  const bytes = der(0x30, signed, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = bytes.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));

const extension = (hex: string, value: Buffer) => der(0x30, oid(hex), der(0x04, value));

function nameOf(commonName: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid("550403"), der(0x0c, Buffer.from(commonName)))));
}

/** UTCTime. */
function instant(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, "")}Z`));
}
