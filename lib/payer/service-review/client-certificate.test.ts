import { createPrivateKey } from "node:crypto";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPayer } from "#simulator/core/payer";
import { createSimulator } from "#simulator/server";
import { anAuthority } from "#test/support/servers/certificates";
import { aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { serviceReview } from "./connector.ts";

const authority = anAuthority();
const ours = authority.certify("client.example");
const trusted = getCACertificates("default");
const inner = createSimulator({ payer: createPayer(), token: "right" });

/** The simulated clearinghouse, for those alone who show a certificate of the authority. */
const server = createServer(
  { ...authority.certify("127.0.0.1"), ca: authority.cert, requestCert: true, rejectUnauthorized: true },
  (request, response) => void inner.emit("request", request, response),
);
let url = "";

beforeAll(async () => {
  setDefaultCACertificates([...trusted, authority.cert]);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // Safe because it listens on a port.
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  inner.close();
});

const base64 = (cert: string) => cert.replaceAll(/-----[A-Z ]+-----|\s/g, "");
const jwkOf = (key: string) => createPrivateKey(key).export({ format: "jwk" });
const proof = (key: string) => JSON.stringify({ clientSecret: "s3cret", privateKey: jwkOf(key) });

async function sendWith(members: object, credential: string) {
  const { route, ...transport } = transportTo(url, { credential });
  const settings = { ...route?.settings, ...members };
  const call = serviceReview.build(aReviewBuild({ url }));
  return (await serviceReview.send(call, { ...transport, route: { environment: "test", settings } })).answer;
}

test("a clearinghouse that asks for our certificate gets it for the token and for the request", async () => {
  expect(await sendWith({ clientCertificate: base64(ours.cert) }, proof(ours.key))).toMatchObject({ type: "accepted" });
});

test("without one nothing leaves", async () => {
  expect(await sendWith({}, "s3cret")).toMatchObject({ type: "notSent" });
});

const other = authority.certify("other.example");

test.each([
  ["no key beside the secret", "s3cret", "has no private key for the client certificate"],
  ["the key of another certificate", proof(other.key), "doesn't match the certificate"],
  ["a key that is none", '{"clientSecret":"s3cret","privateKey":{"kty":"EC"}}', "can't be read"],
])("with %s nothing leaves, and the reason holds nothing of it", async (_, credential, reason) => {
  const answer = await sendWith({ clientCertificate: base64(ours.cert) }, credential);
  expect(answer).toMatchObject({ type: "notSent", reason: expect.stringContaining(reason) });
  expect(JSON.stringify(answer)).not.toContain("s3cret");
});
