import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { aPayer, noHurry } from "#test/support/payer/pas/listen";
import { clientProof } from "./client-certificate.ts";
import { exchangeWithPayer } from "./pas-fhir/exchange.ts";
import { keyNotSent } from "./private-key.ts";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
const jwk = privateKey.export({ format: "jwk" });
const keys = [
  ["a JWK", JSON.stringify(jwk)],
  ["a JWK beside a secret", JSON.stringify({ clientSecret: "s3cret", privateKey: jwk })],
  ["PEM", privateKey.export({ type: "pkcs8", format: "pem" }).toString().replaceAll("\n", "")],
] as const;

test.each(keys)("a private key as %s is never sent as a bearer or as a client secret", async (_, credential) => {
  let requests = 0;
  const url = await aPayer((_incoming, outgoing) => {
    requests += 1;
    outgoing.writeHead(500).end();
  });
  const call = {
    method: "POST",
    url: `${url}/fhir/Claim/$submit`,
    contentType: "application/fhir+json",
    body: Buffer.from("{}"),
  };
  const route = { environment: "test", settings: {} } as const;
  expect(await exchangeWithPayer(call, { credential, route, signal: noHurry() })).toEqual({
    kind: "unsent",
    reason: keyNotSent,
  });
  expect(requests).toBe(0);
  expect(clientProof(credential, undefined)).toEqual({ ok: false, refusal: keyNotSent });
});

test.each(["s3cret", "eyJhbGciOiJub25lIn0.e30.", "12", '{"a":1}'])("%s is a secret, and sent", (credential) => {
  expect(clientProof(credential, undefined)).toEqual({ ok: true, value: { secret: credential } });
});
