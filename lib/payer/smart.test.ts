import type { IncomingMessage } from "node:http";
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, type JWK } from "jose";
import { describe, expect, test } from "vitest";
import { aBuild } from "#test/support/payer/pas/build";
import { aPayer, noHurry } from "#test/support/payer/pas/listen";
import { aReplyTo } from "#test/support/payer/pas/reply";
import { pasFhir } from "./pas-fhir/connector.ts";
import { smartToken } from "./smart.ts";

const replayed = new Set<string>();

async function aKey(alg: "RS384" | "ES384"): Promise<{ jwk: string; jwks: { keys: JWK[] } }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = JSON.stringify(await exportJWK(privateKey));
  return { jwk, jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "key-1", alg }] } };
}

type Counts = { tokens: number; submissions: string[] };
type Reply = readonly [status: number, body: unknown];

/** Verifies a token request as SMART Backend Services asks of a server; an assertion counts once. */
async function granted(form: URLSearchParams, { jwks, audience }: { jwks: { keys: JWK[] }; audience: string }) {
  try {
    const { payload, protectedHeader } = await jwtVerify(form.get("client_assertion") ?? "", createLocalJWKSet(jwks), {
      audience,
      issuer: "clinic-1",
      subject: "clinic-1",
      maxTokenAge: "5m",
      typ: "JWT",
    });
    const fresh = payload.jti !== undefined && !replayed.has(payload.jti);
    replayed.add(payload.jti ?? "");
    const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const right = form.get("grant_type") === "client_credentials" && form.get("client_assertion_type") === type;
    const short = (payload.exp ?? 0) - (payload.iat ?? 0) <= 300;
    return fresh && right && short && protectedHeader.kid === "key-1" && form.get("scope") === settings.scope;
  } catch {
    return false;
  }
}

/** A payer with a strict token endpoint beside its FHIR base. */
async function aSmartPayer(jwks: { keys: JWK[] }): Promise<{ url: string; counts: Counts }> {
  const counts: Counts = { tokens: 0, submissions: [] };
  const answer = async ({ url, headers }: IncomingMessage, body: string): Promise<Reply> => {
    if (url === "/fhir/.well-known/smart-configuration") return [200, { token_endpoint: `${base}/token` }];
    if (url !== "/token") {
      counts.submissions.push(headers.authorization ?? "");
      return [200, aReplyTo(pasFhir.build(aBuild({ url: `${base}/fhir` }))[0])];
    }
    if (!(await granted(new URLSearchParams(body), { jwks, audience: `${base}/token` })))
      return [401, { error: "invalid_client" }];
    counts.tokens += 1;
    return [200, { access_token: `token-${counts.tokens}`, token_type: "bearer", expires_in: 300 }];
  };
  const base: string = await aPayer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        void answer(request, Buffer.concat(chunks).toString()).then(([status, body]) =>
          response.writeHead(status, { "Content-Type": "application/fhir+json" }).end(JSON.stringify(body)),
        );
      });
  });
  return { url: `${base}/fhir`, counts };
}

const settings = { auth: "smart", clientId: "clinic-1", keyId: "key-1", scope: "system/Claim.cruds" };
const route = (more: Record<string, string> = {}) =>
  ({ environment: "test", settings: { ...settings, ...more } }) as const;

describe("SMART Backend Services", () => {
  test.each(["RS384", "ES384"] as const)(
    "proves itself with an assertion signed %s, once for many requests",
    async (alg) => {
      const { jwk, jwks } = await aKey(alg);
      const { url, counts } = await aSmartPayer(jwks);
      const calls = pasFhir.build(aBuild({ url }));
      const transport = {
        credential: jwk,
        route: route({ tokenUrl: url.replace("/fhir", "/token") }),
        signal: noHurry(),
      };
      const exchange = await Promise.all(Array.from({ length: 8 }, () => pasFhir.send(calls, transport)));
      expect(new Set(exchange.map(({ answer }) => answer.type))).toEqual(new Set(["decided"]));
      expect(counts).toEqual({ tokens: 1, submissions: Array(8).fill("Bearer token-1") });
    },
  );

  test("finds the token endpoint where the payer publishes it", async () => {
    const { jwk, jwks } = await aKey("ES384");
    const { url } = await aSmartPayer(jwks);
    const source = smartToken({
      base: url,
      clientId: "clinic-1",
      keyId: "key-1",
      scope: settings.scope,
      credential: jwk,
    });
    expect(await source.fetch(noHurry())).toMatchObject({ ok: true, expiresInMs: 300_000 });
  });

  test("gets no token of another host that the payer names, which may be another payer's, unless the connection names it", async () => {
    const { jwk, jwks } = await aKey("ES384");
    const other = await aSmartPayer(jwks);
    const tokenUrl = other.url.replace("/fhir", "/token");
    const named = tokenUrl.replace("127.0.0.1", "localhost");
    const forms: (string | undefined)[] = [];
    const url = await aPayer(({ url: path }, response) => {
      forms.push(path);
      response.writeHead(200).end(JSON.stringify({ token_endpoint: named }));
    });
    const transport = { credential: jwk, signal: noHurry() };
    const calls = pasFhir.build(aBuild({ url }));
    const { answer } = await pasFhir.send(calls, { ...transport, route: route() });
    expect(answer).toMatchObject({ type: "notSent", reason: expect.stringContaining("another host") });
    expect([forms, other.counts]).toEqual([["/.well-known/smart-configuration"], { tokens: 0, submissions: [] }]);
    await pasFhir.send(calls, { ...transport, route: route({ tokenUrl }) });
    expect(other.counts.tokens).toBe(1);
  });

  test("of another key gets no token, and nothing is sent", async () => {
    const { url, counts } = await aSmartPayer((await aKey("ES384")).jwks);
    const transport = {
      credential: (await aKey("ES384")).jwk,
      route: route({ tokenUrl: url.replace("/fhir", "/token") }),
      signal: noHurry(),
    };
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url })), transport);
    expect(answer).toMatchObject({
      type: "notSent",
      reason: "The payer's token endpoint gave no token (HTTP 401).",
    });
    expect(counts.submissions).toEqual([]);
  });

  test.each([
    ["no JSON", "secret"],
    ["a public key", '{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}'],
    ["a key on another curve", '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}'],
    ["a key that is none", '{"kty":"EC","crv":"P-384","x":"AA","y":"AA","d":"AA"}'],
    ["a shared secret", '{"kty":"oct","k":"AA"}'],
  ])("with %s for a private key sends nothing and says so without the key", async (_, credential) => {
    const url = await aPayer(() => expect.unreachable());
    const transport = { credential, route: route({ tokenUrl: `${url}/token` }), signal: noHurry() };
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url: `${url}/fhir` })), transport);
    expect(answer).toEqual({
      type: "notSent",
      reason: "The credential isn't a private key (JWK) for RS384 or ES384.",
      retryAfterMs: undefined,
    });
  });

  test("with a payer that publishes no token endpoint gets no token", async () => {
    const url = await aPayer(
      (_, response) => void response.writeHead(200).end('{"token_endpoint":"file:///etc/passwd"}'),
    );
    const { jwk } = await aKey("ES384");
    expect(await smartToken({ base: url, clientId: "clinic-1", credential: jwk }).fetch(noHurry())).toMatchObject({
      ok: false,
    });
  });
});
