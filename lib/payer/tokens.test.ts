import { describe, expect, test } from "vitest";
import { aPayer, noHurry } from "#test/support/payer/pas/listen";
import { createTokens, exchangeWithToken, requestToken, type FetchedToken, type TokenSource } from "./tokens.ts";

/** A source that counts how often it was asked and gives a new token each time. */
function counting(answer: (count: number) => FetchedToken = (count) => issued(`t${count}`)) {
  const calls = { times: 0 };
  const source: TokenSource = { key: "route-1", fetch: async () => answer((calls.times += 1)) };
  return { source, calls };
}

const issued = (value: string, expiresInMs = 300_000): FetchedToken => ({ ok: true, value, expiresInMs });

describe("a token", () => {
  test("is fetched once however many ask at once, and kept until shortly before it expires", async () => {
    const clock = { now: 0 };
    const tokens = createTokens(() => clock.now);
    const { source, calls } = counting();
    const taken = await Promise.all(Array.from({ length: 50 }, () => tokens.take(source, noHurry())));
    expect(new Set(taken.map((token) => token.ok && token.value))).toEqual(new Set(["t1"]));
    clock.now = 269_000;
    expect(await tokens.take(source, noHurry())).toEqual({ ok: true, value: "t1" });
    clock.now = 270_001;
    expect(await tokens.take(source, noHurry())).toEqual({ ok: true, value: "t2" });
    expect(calls.times).toBe(2);
  });

  test("of one route is never given to another", async () => {
    const tokens = createTokens();
    const { source } = counting();
    await tokens.take(source, noHurry());
    const other: TokenSource = { key: "route-2", fetch: async () => issued("other") };
    expect(await tokens.take(other, noHurry())).toEqual({ ok: true, value: "other" });
  });

  test("that was refused is not given again, and one refusal by many costs one new token", async () => {
    const tokens = createTokens();
    const { source, calls } = counting();
    await tokens.take(source, noHurry());
    const again = await Promise.all(Array.from({ length: 20 }, () => tokens.take(source, noHurry(), "t1")));
    expect(new Set(again.map((token) => token.ok && token.value))).toEqual(new Set(["t2"]));
    expect(calls.times).toBe(2);
  });

  test("without a lifetime is used once", async () => {
    const tokens = createTokens();
    const { source, calls } = counting((count) => ({ ok: true, value: `t${count}` }));
    await tokens.take(source, noHurry());
    await tokens.take(source, noHurry());
    expect(calls.times).toBe(2);
  });

  test("that could not be had is asked for again", async () => {
    const tokens = createTokens();
    const { source } = counting((count) => (count === 1 ? { ok: false, reason: "down" } : issued("t2")));
    expect(await tokens.take(source, noHurry())).toEqual({ ok: false, reason: "down" });
    expect(await tokens.take(source, noHurry())).toEqual({ ok: true, value: "t2" });
  });

  test("is fetched to the end for the others when one asker's time is over", async () => {
    const tokens = createTokens();
    const given = Promise.withResolvers<FetchedToken>();
    const source: TokenSource = { key: "slow", fetch: () => given.promise };
    const hurry = new AbortController();
    const [late, patient] = [tokens.take(source, hurry.signal), tokens.take(source, noHurry())];
    hurry.abort();
    expect(await late).toMatchObject({ ok: false });
    given.resolve(issued("t1"));
    expect(await patient).toEqual({ ok: true, value: "t1" });
  });
});

describe("a call with a token", () => {
  const call = (url: string) => ({ method: "POST", url, contentType: "application/json", body: Buffer.from("{}") });

  test("that meets 401 goes out once more with a fresh token, and with the same bytes", async () => {
    const seen: string[] = [];
    const url = await aPayer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          seen.push(`${request.headers.authorization} ${Buffer.concat(chunks).toString()}`);
          response.writeHead(request.headers.authorization === "Bearer t2" ? 200 : 401).end();
        });
    });
    const { source } = counting();
    const exchange = await exchangeWithToken(call(url), { signal: noHurry() }, { tokens: createTokens(), source });
    expect(exchange).toMatchObject({ kind: "reply", status: 200 });
    expect(seen).toEqual(["Bearer t1 {}", "Bearer t2 {}"]);
  });

  test("that meets 401 twice gives up, and says 401", async () => {
    const url = await aPayer(
      (request, response) => void request.resume().on("end", () => response.writeHead(401).end()),
    );
    const { source, calls } = counting();
    const exchange = await exchangeWithToken(call(url), { signal: noHurry() }, { tokens: createTokens(), source });
    expect(exchange).toMatchObject({ kind: "reply", status: 401 });
    expect(calls.times).toBe(2);
  });

  test("is not written past the time it may leave by, however good its token is", async () => {
    const url = await aPayer(() => expect.unreachable());
    const { source } = counting();
    const transport = { signal: noHurry(), notAfter: performance.now() - 1 };
    const exchange = await exchangeWithToken(call(url), transport, { tokens: createTokens(), source });
    expect(exchange).toMatchObject({ kind: "unsent" });
  });

  test("sends nothing without one, and passes on when to come back", async () => {
    const url = await aPayer(() => expect.unreachable());
    const { source } = counting(() => ({ ok: false, reason: "down", retryAfterMs: 7000 }));
    const exchange = await exchangeWithToken(call(url), { signal: noHurry() }, { tokens: createTokens(), source });
    expect(exchange).toEqual({ kind: "unsent", reason: "down", retryAfterMs: 7000 });
  });
});

describe("a token endpoint", () => {
  const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
    aPayer((request, response) => void request.resume().on("end", () => response.writeHead(status, headers).end(body)));

  test("is asked with exactly the form given", async () => {
    const seen: unknown[] = [];
    const url = await aPayer((request, response) => {
      request
        .on("data", (chunk: Buffer) => seen.push(chunk.toString()))
        .on("end", () => {
          seen.push(request.headers["content-type"], request.headers.authorization);
          response.writeHead(200).end(JSON.stringify({ access_token: "t1", token_type: "Bearer", expires_in: 300 }));
        });
    });
    expect(await requestToken({ url, form: { grant_type: "client_credentials", scope: "a b" } }, noHurry())).toEqual({
      ok: true,
      value: "t1",
      expiresInMs: 300_000,
    });
    expect(seen).toEqual(["grant_type=client_credentials&scope=a+b", "application/x-www-form-urlencoded", undefined]);
  });

  test.each([
    ["an error", 400, '{"error":"invalid_client"}'],
    ["a redirect", 302, ""],
    ["HTML", 200, "<html>"],
    ["no bearer", 200, '{"access_token":"t","token_type":"mac"}'],
    ["a token no header can hold", 200, '{"access_token":"a b\\nc","token_type":"bearer"}'],
    ["a lifetime that is none", 200, '{"access_token":"t","token_type":"bearer","expires_in":-1}'],
  ])("that answers %s gives no token", async (_, status, body) => {
    const url = await answering(status, body, { Location: "http://127.0.0.1:9/elsewhere" });
    expect(await requestToken({ url, form: {} }, noHurry())).toEqual({
      ok: false,
      reason: `The payer's token endpoint gave no token (HTTP ${status}).`,
      retryAfterMs: undefined,
      outcome: { type: "answered" },
    });
  });

  test("that is busy says when to come back", async () => {
    const url = await answering(429, "", { "Retry-After": "3" });
    expect(await requestToken({ url, form: {} }, noHurry())).toMatchObject({ ok: false, retryAfterMs: 3000 });
  });
});
