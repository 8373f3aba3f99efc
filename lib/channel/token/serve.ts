import { createHash, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JSONWebKeySet } from "jose";
import type { Logger } from "pino";
import { arrivalOfRequest, type Arrival } from "#lib/platform/http/arrival";
import type { CallBook } from "#lib/a2a/admit/call-book";
import type { DeniedCall } from "#lib/a2a/admit/denied-calls";
import { senderOf } from "#lib/platform/http/client-address";
import { createPlaces, type Places } from "#lib/platform/http/places";
import { named, toResponse, type Reply } from "#lib/platform/http/reply";
import { issueToken, tokenLifeS } from "#lib/channel/access-token";
import { assertionAlgorithms, readClientKeys } from "#lib/channel/client-keys";
import { ok, refuse, type Result } from "#lib/platform/result";
import { tokenProblems } from "#lib/messages/problems/agent";
import type { AssertionSource, FalseAssertions } from "./false-assertions.ts";
import type { KeySets } from "./key-sets.ts";
import { findClient, useAssertion, type ClientRow } from "#lib/channel/store/channel-clients";
import type { Store } from "#lib/db/db";
import { isUnavailable, logFailure } from "#lib/db/unavailable";
import { now, nowMs } from "#lib/platform/now";

export type TokenDeps = {
  readonly store: Store;
  readonly places: Places;
  readonly book: CallBook;
  readonly log: Logger;
  readonly tokenUrl: string;
  readonly keySets: KeySets;
  readonly falseAssertions: FalseAssertions;
};

const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** How far the clock of an assertion may be ahead of ours. */
const aheadS = 5;

/** The longest remaining life of an assertion, in seconds, as SMART Backend Services requires. */
const assertionLifeS = 300;

const jtiCharsMax = 256;

/** How late a refusal for too many assertions is answered. */
const refusedAfterMs = 1_000;

/** The limit of a request body; an assertion has a few kilobytes. */
const bytesMax = 64 * 1024;

/**
 * Limits how many assertions are checked at once, in all and for one address; the others wait. It is apart from the
 * limit of calls.
 */
export function tokenPlaces(): Places {
  return createPlaces({ most: 32, each: 8, waitingEach: 128, waitMs: 5_000 });
}

/** Answers one HTTP request to the token endpoint. Never throws. */
export async function serveToken(request: Request, deps: TokenDeps): Promise<Response> {
  return toResponse(await answerToken(arrivalOfRequest(request), deps));
}

/**
 * OAuth 2.0 client credentials with `private_key_jwt` (RFC 6749 section 4.4, RFC 7523). Every problem of a client or
 * its assertion is `invalid_client`; only the audit log has the reason.
 */
export async function answerToken(arrival: Arrival, deps: TokenDeps): Promise<Reply> {
  try {
    const read = await readAssertion(arrival);
    return "assertion" in read ? await grant(read.assertion, arrival, deps) : read;
  } catch (error) {
    logFailure(deps.log, { err: error }, "a token was not granted");
    if (isUnavailable(error)) return reply(503, { error: "temporarily_unavailable" }, { "retry-after": "2" });
    return reply(500, { error: "server_error" });
  }
}

/** Takes no place while the body is read, because a sender may send it as slowly as they like. */
async function readAssertion(arrival: Arrival): Promise<Reply | { readonly assertion: string }> {
  if (arrival.method !== "POST") return reply(405, { error: "invalid_request" }, { allow: "POST" });
  const type = arrival.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return invalidRequest(tokenProblems.form);
  const body = await arrival.readBody({ bytesMax });
  if (typeof body === "string") return invalidRequest(tokenProblems.wholeForm);
  const form = new URLSearchParams(Buffer.from(body).toString("utf8"));
  const names = ["grant_type", "client_assertion_type", "client_assertion"];
  if (names.some((name) => form.getAll(name).length !== 1)) return invalidRequest(tokenProblems.eachOnce(names));
  if (form.get("grant_type") !== "client_credentials") return reply(400, { error: "unsupported_grant_type" });
  if (form.get("client_assertion_type") !== jwtBearer) return invalidRequest(tokenProblems.assertionType(jwtBearer));
  return { assertion: form.get("client_assertion") ?? "" };
}

async function grant(assertion: string, arrival: Arrival, deps: TokenDeps): Promise<Reply> {
  const source = { from: senderOf(arrival.address ?? ""), clientId: claimedClient(assertion) };
  const leave = await deps.places.enter(source.from);
  if (!leave) return reply(503, { error: "temporarily_unavailable" }, { "retry-after": "1" });
  let waitS: number;
  try {
    waitS = deps.falseAssertions.count(source, nowMs());
    if (waitS === 0) return await checkAssertion(assertion, { source, arrival, deps });
  } finally {
    leave();
  }
  // Without a place, and late, so that a client that retries at once retries seldom.
  await pause(refusedAfterMs);
  return reply(429, { error: "temporarily_unavailable" }, { "retry-after": String(waitS) });
}

type AssertionCheck = { readonly source: AssertionSource; readonly arrival: Arrival; readonly deps: TokenDeps };

async function checkAssertion(assertion: string, { source, arrival, deps }: AssertionCheck): Promise<Reply> {
  const verified = await verifyClient(assertion, { source, arrival, deps });
  if (!verified.ok) {
    // Counted with the denials of the endpoint, so that a flood of them makes few entries.
    const requestId = randomUUID();
    deps.book.countDenial({ requestId, at: now(), address: arrival.address, ...verified.refusal });
    return named(reply(401, { error: "invalid_client" }), requestId);
  }
  deps.falseAssertions.forgive(source);
  const token = issueToken(deps.store, verified.value, now());
  return reply(200, { access_token: token, token_type: "Bearer", expires_in: tokenLifeS });
}

/** The client that the assertion names, and the reason it is denied where the client itself is valid. */
type UnverifiedClient = { readonly keyId?: string | undefined; readonly fallbackRule?: DeniedCall["fallbackRule"] };

/** The client whose key signed this assertion, for this service, for at most five minutes, and for the first time. */
async function verifyClient(
  assertion: string,
  { source: { clientId }, arrival: { address }, deps: { store, tokenUrl, keySets } }: AssertionCheck,
): Promise<Result<ClientRow, UnverifiedClient>> {
  const client = clientId === undefined ? undefined : await findClient(store, { clientId, address });
  if (!client) return refuse({ keyId: clientId });
  const hasNoKey = client.jwksUrl === null && strongKeys(client.jwks).length === 0;
  const wrong = refuse({ keyId: client.id, fallbackRule: hasNoKey ? "client-key-weak" : "assertion-wrong" } as const);
  const claims = await verifiedClaims(assertion, { client, audience: tokenUrl, keySets });
  const { jti, exp } = claims ?? {};
  if (typeof jti !== "string" || jti === "" || jti.length > jtiCharsMax || exp === undefined) return wrong;
  if (exp > nowMs() / 1_000 + assertionLifeS + aheadS) return wrong;
  const used = { jtiHash: createHash("sha256").update(jti).digest(), expiresAt: new Date(exp * 1_000) };
  const first = await useAssertion(store, { client, kid: decodeProtectedHeader(assertion).kid, ...used });
  return first ? ok(client) : refuse({ keyId: client.id, fallbackRule: "assertion-used" } as const);
}

function claimedClient(assertion: string): string | undefined {
  try {
    const { iss, sub } = decodeJwt(assertion);
    return iss === sub && /^[0-9A-Za-z]{10}$/.test(sub ?? "") ? sub : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

type ClaimsCheck = Pick<TokenDeps, "keySets"> & { readonly client: ClientRow; readonly audience: string };

async function verifiedClaims(assertion: string, { client, audience, keySets }: ClaimsCheck) {
  const { id, jwks, jwksUrl } = client;
  try {
    const keys =
      jwksUrl === null ? strongKeys(jwks) : await keySets.keysAt(jwksUrl, decodeProtectedHeader(assertion).kid);
    // Safe because `readClientKeys` returned these keys.
    const set = { keys } as JSONWebKeySet;
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(set), {
      algorithms: [...assertionAlgorithms],
      issuer: id,
      subject: id,
      audience,
      clockTolerance: aheadS,
      currentDate: now(),
      requiredClaims: ["exp", "jti"],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Checked again, because a key that was long enough when it was saved may be too short by now. */
function strongKeys(jwks: string): readonly object[] {
  const read = readClientKeys(jwks, { others: "skipped" });
  return "keys" in read ? read.keys.keys : [];
}

function invalidRequest(description: string): Reply {
  return reply(400, { error: "invalid_request", error_description: description });
}

function reply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  const always = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return { status, headers: { ...always, ...headers }, body: JSON.stringify(body) };
}
