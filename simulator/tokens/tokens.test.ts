import { expect, test } from "vitest";
import { aFirstBundle } from "#test/support/payer/pas/bundles";
import { aPayer } from "#test/support/payer/pas/listen";
import { aSmartClient, type SmartClient } from "#test/support/payer/pas/smart-client";
import { aSimulator, type RunningSimulator } from "#test/support/payer/simulator";

type Token = { status: number; body: Record<string, unknown>; headers: Headers };

async function withClient(options: Parameters<typeof aSimulator>[0] = {}, client = aSmartClient()) {
  const simulator = await aSimulator(options);
  const { clientId, jwks } = client;
  expect((await simulator.control("POST", "clients", { clientId, jwks })).body).toEqual({ clients: [clientId] });
  return { simulator, client, tokenUrl: `${simulator.url}/auth/token` };
}

async function ask(tokenUrl: string, form: URLSearchParams): Promise<Token> {
  const reply = await fetch(tokenUrl, { method: "POST", body: form });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown>, headers: reply.headers };
}

async function tokenOf(client: SmartClient, tokenUrl: string): Promise<string> {
  return String((await ask(tokenUrl, client.form(tokenUrl))).body["access_token"]);
}

const submitWith = ({ url }: RunningSimulator, token: string) =>
  fetch(`${url}/fhir/Claim/$submit`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/fhir+json" },
    body: JSON.stringify(aFirstBundle()),
  });

test.each(["RS384", "ES384"] as const)(
  "a client that signs by %s gets a token, and the token lets it in",
  async (alg) => {
    const { simulator, client, tokenUrl } = await withClient({}, aSmartClient(alg));
    const { status, body, headers } = await ask(tokenUrl, client.form(tokenUrl));
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: "bearer",
      expires_in: 300,
      scope: "system/Claim.cruds",
    });
    expect((await submitWith(simulator, String(body["access_token"]))).status).toBe(200);
    expect((await simulator.control("GET", "tokens")).body).toMatchObject({ issued: [{ clientId: client.clientId }] });
  },
);

test.each(["/fhir", "/fhir-2.0.1", ""])("under the base %s it says where tokens are", async (base) => {
  const { simulator, tokenUrl } = await withClient();
  const reply = await fetch(`${simulator.url}${base}/.well-known/smart-configuration`);
  expect(await reply.json()).toMatchObject({
    token_endpoint: tokenUrl,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS384", "ES384"],
  });
});

const soon = () => Math.floor(Date.now() / 1000);

test.each<[string, string, Parameters<SmartClient["form"]>[1]]>([
  ["iss is nobody", "invalid_client", { claims: { iss: "nobody" } }],
  ["sub is not iss", "invalid_client", { claims: { sub: "nobody" } }],
  ["aud is another address", "invalid_client", { claims: { aud: "https://payer.example/token" } }],
  ["exp is over", "invalid_client", { claims: { exp: soon() - 1 } }],
  ["exp is far away", "invalid_client", { claims: { exp: soon() + 900 } }],
  ["exp is missing", "invalid_client", { claims: { exp: undefined } }],
  ["nbf is far away", "invalid_client", { claims: { nbf: soon() + 900 } }],
  ["jti is missing", "invalid_client", { claims: { jti: undefined } }],
  ["alg is another", "invalid_client", { header: { alg: "ES256" } }],
  ["alg is none", "invalid_client", { header: { alg: "none" } }],
  ["typ is missing", "invalid_client", { header: { typ: undefined } }],
  ["kid is unknown", "invalid_client", { header: { kid: "k2" } }],
  ["kid is missing", "invalid_client", { header: { kid: undefined } }],
  ["the assertion is no JWT", "invalid_client", { form: { client_assertion: "a.b.c" } }],
  ["the grant is another", "unsupported_grant_type", { form: { grant_type: "password" } }],
  ["there is no scope", "invalid_scope", { form: { scope: "" } }],
  ["the scope is a user's", "invalid_scope", { form: { scope: "user/Claim.read" } }],
  ["the assertion type is missing", "invalid_request", { form: { client_assertion_type: "" } }],
])("where %s there is no token: %s", async (_, error, changes) => {
  const { simulator, client, tokenUrl } = await withClient();
  const { status, body } = await ask(tokenUrl, client.form(tokenUrl, changes));
  expect([400, 401]).toContain(status);
  expect(body).toMatchObject({ error });
  expect((await simulator.control("GET", "tokens")).body).toEqual({ issued: [] });
});

test("an assertion is good once, and another key signs nothing", async () => {
  const { client, tokenUrl } = await withClient();
  const form = client.form(tokenUrl);
  expect((await ask(tokenUrl, form)).status).toBe(200);
  expect((await ask(tokenUrl, form)).body).toMatchObject({ error_description: expect.stringContaining("jti") });
  const { clientId } = client;
  const stranger = aSmartClient().form(tokenUrl, { claims: { iss: clientId, sub: clientId } });
  expect((await ask(tokenUrl, stranger)).body).toMatchObject({ error: "invalid_client" });
});

test("keys may be at an address, and are read when they are needed", async () => {
  const client = aSmartClient();
  const jwksUrl = await aPayer((_, response) => response.end(JSON.stringify(client.jwks)));
  const simulator = await aSimulator();
  await simulator.control("POST", "clients", { clientId: client.clientId, jwksUrl });
  const tokenUrl = `${simulator.url}/auth/token`;
  expect((await ask(tokenUrl, client.form(tokenUrl))).status).toBe(200);
});

test("a token that is over its time is refused, and told so", async () => {
  const { simulator, client, tokenUrl } = await withClient({ tokenSeconds: 0 });
  const reply = await submitWith(simulator, await tokenOf(client, tokenUrl));
  expect(reply.status).toBe(401);
  expect(reply.headers.get("www-authenticate")).toContain("invalid_token");
  expect(await reply.json()).toMatchObject({ issue: [{ code: "expired" }] });
});

test("a planned expiry ends one token, and the next one is good", async () => {
  const { simulator, client, tokenUrl } = await withClient();
  const [first, second] = [await tokenOf(client, tokenUrl), await tokenOf(client, tokenUrl)];
  await simulator.control("POST", "faults", { fault: "token-expired" });
  expect((await submitWith(simulator, first)).status).toBe(401);
  expect((await submitWith(simulator, first)).status).toBe(401);
  expect((await submitWith(simulator, second)).status).toBe(200);
});

test("a strict payer lets in tokens and its fixed credential, and nobody else", async () => {
  const { simulator, client, tokenUrl } = await withClient({ isStrict: true });
  expect((await submitWith(simulator, "anything")).status).toBe(401);
  expect((await submitWith(simulator, "right")).status).toBe(200);
  expect((await submitWith(simulator, await tokenOf(client, tokenUrl))).status).toBe(200);
});

test.each([
  ["unauthorized", 401],
  ["rate-limited", 429],
  ["unavailable", 503],
  ["broken", 500],
  ["error-500", 500],
])("the token endpoint errs as planned: %s", async (fault, status) => {
  const { simulator, client, tokenUrl } = await withClient();
  await simulator.control("POST", "faults", { fault, on: "token" });
  const reply = await fetch(tokenUrl, { method: "POST", body: client.form(tokenUrl) });
  expect(reply.status).toBe(status);
});
