import { createServer, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { anAuthority } from "#test/support/servers/certificates";
import { listening } from "#test/support/payer/pas/listen";
import { endTrip, providerError, startTrip } from "./sso-flow.ts";
import type { SsoPurpose } from "./sso-purpose.ts";
import type { SsoSettings } from "./sso-settings.ts";

/** What a provider that works would never do: over real sockets, with answers of the test's own. */

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
type TokenRequest = { readonly issuer: string; readonly nonce: string; readonly now: number };
type Oddity = {
  readonly idToken?: (request: TokenRequest) => Promise<string> | string;
  /** In place of the token endpoint's answer. */
  readonly token?: (answer: ServerResponse) => void;
  readonly metadata?: (issuer: string) => object;
  /** In place of the code. */
  readonly error?: string;
  readonly purpose?: SsoPurpose;
  readonly settings?: Partial<SsoSettings>;
};

let own: Keys;
let foreign: Keys;
beforeAll(async () => {
  [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
});

const right = ({ issuer, nonce, now }: TokenRequest): JWTPayload => ({
  iss: issuer,
  sub: "dana",
  aud: "client",
  nonce,
  iat: now,
  exp: now + 60,
});
const signed = (claims: JWTPayload, { privateKey } = own) =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(privateKey);

const basic = `Basic ${btoa("client:secret")}`;

const settingsFor = (issuer: string): SsoSettings => ({
  issuer,
  clientId: "client",
  clientSecret: "secret",
  scope: "openid",
  groupsClaim: "groups",
  secondFactors: [],
  backUrl: "http://localhost:3999/sign-in/sso/back",
  timeoutS: 0.5,
});

/**
 * A whole trip to a provider with this oddity: what became of it, where the browser was sent, how often the token
 * endpoint was asked, and what was posted with which authorization.
 */
async function tripTo({
  idToken = (request) => signed(right(request)),
  token,
  metadata,
  error,
  purpose,
  settings: changed,
}: Oddity) {
  let [issuer, nonce, tokenCalls] = ["", "", 0];
  const posted: { path: string; authorization: string; form: Record<string, string> }[] = [];
  const json = (value: unknown) => JSON.stringify(value);
  const answers: Readonly<Record<string, () => Promise<string> | string>> = {
    "/.well-known/openid-configuration": () =>
      json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
        ...metadata?.(issuer),
      }),
    "/jwks": async () => json({ keys: [{ ...(await exportJWK(own.publicKey)), kid: "one", alg: "RS256" }] }),
    "/par": () => json({ request_uri: "urn:request:1", expires_in: 60 }),
    "/token": async () =>
      json({
        access_token: "secret",
        token_type: "Bearer",
        id_token: await idToken({ issuer, nonce, now: Math.floor(Date.now() / 1_000) }),
      }),
  };
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "";
    if (path === "/token") tokenCalls += 1;
    if (path === "/token" && token) return token(outgoing);
    void text(incoming)
      .then((body) => {
        const { authorization = "" } = incoming.headers;
        if (body !== "") posted.push({ path, authorization, form: Object.fromEntries(new URLSearchParams(body)) });
        return answers[path]?.() ?? "{}";
      })
      .then((body) =>
        outgoing.writeHead(path === "/par" ? 201 : 200, { "content-type": "application/json" }).end(body),
      );
    return undefined;
  });
  issuer = await listening(server);
  const settings = { ...settingsFor(issuer), ...changed };
  const begun = await startTrip(settings, purpose ?? { kind: "sign-in", next: "/" });
  if (!begun.ok) return { came: begun, tokenCalls, posted };
  const { trip, url } = begun.value;
  nonce = trip.nonce;
  const back = new URLSearchParams({ ...(error === undefined ? { code: "a" } : { error }), state: trip.state });
  return { came: await endTrip(settings, trip, back), url, tokenCalls, posted };
}

test("a correct id token is accepted, so the ones below are refused for their fault", async () => {
  const { came } = await tripTo({});
  expect(came).toMatchObject({ ok: true, value: { subject: "dana" } });
});

const claimsOf = (change: (request: TokenRequest) => Record<string, unknown>) => (request: TokenRequest) =>
  signed({ ...right(request), ...change(request) });

test.each<[string, (request: TokenRequest) => Promise<string> | string]>([
  ["for another service", claimsOf(() => ({ aud: "another" }))],
  ["for this service among others, and given to another", claimsOf(() => ({ aud: ["client", "b"], azp: "b" }))],
  ["of another issuer", claimsOf(() => ({ iss: "https://elsewhere.example" }))],
  ["of another trip", claimsOf(() => ({ nonce: "another" }))],
  ["that names no trip", claimsOf(() => ({ nonce: undefined }))],
  ["that has ended", claimsOf(({ now }) => ({ iat: now - 600, exp: now - 300 }))],
  ["that never ends", claimsOf(() => ({ exp: undefined }))],
  ["of nobody", claimsOf(() => ({ sub: undefined }))],
  ["of a subject no page can show", claimsOf(() => ({ sub: "da\u0000na" }))],
  ["signed by somebody else", (request) => signed(right(request), foreign)],
  ["signed by nobody", (request) => new UnsecuredJWT(right(request)).encode()],
  [
    "signed with the client's secret",
    (request) =>
      new SignJWT(right(request))
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode("secret".padEnd(32, "."))),
  ],
  ["that is none", () => "not.a.token"],
])("an id token %s ends in nothing", async (_, idToken) => {
  const { came } = await tripTo({ idToken });
  expect(came).toMatchObject({ ok: false });
  expect(came.ok || came.refusal.type).toMatch(/^(not-valid|no-answer)$/);
});

test.each<SsoPurpose>([
  { kind: "prove", sessionId: "a" },
  { kind: "link", sessionId: "a" },
  { kind: "join", code: "a", name: "Dana" },
])("to $kind, the provider must have asked again since this sign-in started", async (purpose) => {
  const tripWith = (authTime: (now: number) => unknown) =>
    tripTo({ purpose, idToken: claimsOf(({ now }) => ({ auth_time: authTime(now) })) });
  expect((await tripWith((now) => now)).came).toMatchObject({ ok: true });
  expect((await tripWith((now) => now - 20)).came).toMatchObject({ ok: true });
  const refused = (type: string) => ({ ok: false, refusal: { type } });
  expect((await tripWith((now) => now - 60)).came).toMatchObject(refused("not-asked-anew"));
  expect((await tripWith(() => undefined)).came).toMatchObject(refused("no-auth-time"));
  expect((await tripWith(() => "now")).came).toMatchObject(refused("not-valid"));
});

test("a redirect is not followed, and a page, a failure or a broken connection is no answer", async () => {
  const oddities: readonly NonNullable<Oddity["token"]>[] = [
    (answer) => answer.writeHead(307, { location: "/elsewhere" }).end(),
    (answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in"),
    (answer) => answer.writeHead(503).end(),
    (answer) => answer.destroy(),
  ];
  for (const token of oddities) {
    const { came, tokenCalls } = await tripTo({ token });
    expect(came).toMatchObject({ ok: false, refusal: { type: "no-answer" } });
    expect(tokenCalls).toBe(1);
  }
});

test("a provider that requires it gets the request first, and the browser takes along a reference alone", async () => {
  const { came, url, posted } = await tripTo({
    metadata: (issuer) => ({
      pushed_authorization_request_endpoint: `${issuer}/par`,
      require_pushed_authorization_requests: true,
    }),
  });
  expect(came).toMatchObject({ ok: true });
  expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({ client_id: "client", request_uri: "urn:request:1" });
  expect(posted[0]).toMatchObject({ path: "/par", form: { scope: "openid", code_challenge_method: "S256" } });
});

test.each([
  [
    ["client_secret_post", "private_key_jwt"],
    ["", "secret"],
  ],
  [
    ["client_secret_post", "client_secret_basic"],
    [basic, undefined],
  ],
  [undefined, [basic, undefined]],
])("of a provider that takes a secret by %j the secret goes where it takes it", async (methods, [header, inForm]) => {
  const { came, posted } = await tripTo({ metadata: () => ({ token_endpoint_auth_methods_supported: methods }) });
  expect(came).toMatchObject({ ok: true });
  expect([posted[0]?.authorization, posted[0]?.form["client_secret"]]).toEqual([header, inForm]);
});

test("an id or secret goes to the provider as it is, and encoded only where a form needs it", async () => {
  const headerOf = async (clientId: string, clientSecret: string) => {
    const { posted } = await tripTo({ settings: { clientId, clientSecret } });
    return atob((posted[0]?.authorization ?? "").replace("Basic ", ""));
  };
  expect(await headerOf("3f0c-11", "a-b_c.d~e")).toBe("3f0c-11:a-b_c.d~e");
  expect(await headerOf("client", "a:b c%+ü")).toBe("client:a%3Ab+c%25%2B%C3%BC");
});

test.each(["invalid_request", "unauthorized_client", "invalid_scope"])(
  "a provider that answers %s does not accept this service, which is no refusal by the person",
  async (error) => {
    const { came, tokenCalls } = await tripTo({ error });
    expect(came).toMatchObject({ ok: false, refusal: { type: "not-accepted" } });
    expect(tokenCalls).toBe(0);
  },
);

test.each<[string, number, Record<string, string>]>([
  ["a challenge", 401, { "www-authenticate": 'Basic realm="provider"' }],
  ["an error", 400, {}],
])(
  "a secret that the provider refuses by %s is said to be refused, with its code for the log",
  async (_, status, headers) => {
    const { came } = await tripTo({
      token: (answer) =>
        answer.writeHead(status, { "content-type": "application/json", ...headers }).end('{"error":"invalid_client"}'),
    });
    expect(came).toMatchObject({ ok: false, refusal: { type: "not-accepted" } });
    expect(providerError(came.ok ? undefined : came.refusal.cause)).toBe("invalid_client");
  },
);

test("a provider that never answers is given up after its time", async () => {
  const { came } = await tripTo({ token: () => undefined });
  expect(came).toMatchObject({ ok: false, refusal: { type: "no-answer" } });
});

test.each([
  ["another issuer", () => ({ issuer: "https://elsewhere.example" })],
  ["an authorization endpoint that is no web address", () => ({ authorization_endpoint: "javascript:alert(1)" })],
])("a provider that describes itself with %s is not gone to", async (_, metadata) => {
  const { came } = await tripTo({ metadata });
  expect(came).toMatchObject({ ok: false, refusal: { type: "no-answer" } });
});

test("a provider whose certificate nobody trusts is asked nothing, and why is told to the log", async () => {
  let requests = 0;
  const provider = createSecureServer(anAuthority().certify("127.0.0.1"), (_, answer) => {
    requests += 1;
    answer.end("{}");
  });
  const url = (await listening(provider)).replace(/^http:/, "https:");
  const begun = await startTrip({ ...settingsFor(url), timeoutS: 20 }, { kind: "sign-in", next: "/" });
  expect(begun).toMatchObject({ ok: false, refusal: { type: "no-answer" } });
  expect(inspect(begun, { depth: 8 })).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED_CERT/);
  expect(requests).toBe(0);
});
