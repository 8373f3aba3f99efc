import { createServer as createSocketServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { PayerAnswer } from "#lib/payer/connector";
import { documentDigest } from "#lib/payer/digest";
import { replyBytesMax } from "#lib/platform/outbound/exchange";
import { aBuild } from "#test/support/payer/pas/build";
import { aPayer, listening, noHurry } from "#test/support/payer/pas/listen";
import { answered, bare } from "#test/support/payer/pas/payer";
import { aReplyTo } from "#test/support/payer/pas/reply";
import { pasFhir } from "./connector.ts";
import { testMarker } from "./vocabulary.ts";

const outcome = {
  resourceType: "OperationOutcome",
  meta: { tag: [testMarker] },
  issue: [
    {
      severity: "error",
      code: "invalid",
      expression: ["Claim.item[0].category"],
    },
  ],
};
const json = { "Content-Type": "application/fhir+json" };
const type = (expected: PayerAnswer["type"]) => expect.objectContaining({ type: expected });

describe("by status", () => {
  test.each([
    [401, {}, { type: "notSent", retryAfterMs: undefined }],
    [403, {}, { type: "notSent" }],
    [429, { "Retry-After": "7" }, { type: "notSent", retryAfterMs: 7000 }],
    [429, {}, { type: "notSent", retryAfterMs: undefined }],
    [503, { "Retry-After": "120" }, { type: "unknown", retryAfterMs: 120_000 }],
    [503, {}, { type: "unknown" }],
    [500, {}, { type: "unknown" }],
    [502, { "Retry-After": "1" }, { type: "unknown" }],
    [301, { Location: "/elsewhere" }, { type: "unknown" }],
    [307, { Location: "/elsewhere" }, { type: "unknown" }],
    [408, {}, { type: "unknown" }],
    [409, {}, { type: "unknown" }],
    [400, {}, { type: "unknown" }],
    [404, {}, { type: "unknown" }],
    [200, {}, { type: "unknown" }],
    [204, {}, { type: "unknown" }],
  ])("HTTP %i with %j and nothing in it", async (status, headers, expected) => {
    expect(await bare({ status, headers })).toMatchObject(expected);
  });

  test("HTTP 422 that calls the request a duplicate is a doubt: the payer has it, and nobody is told to send it again", async () => {
    const duplicate = { ...outcome, issue: [{ severity: "error", code: "duplicate" }] };
    expect(await bare({ status: 422, headers: json, body: JSON.stringify(duplicate) })).toEqual({
      type: "unknown",
      reason: "The payer's server says that it has this request already (HTTP 422: duplicate).",
    });
  });

  test.each([400, 403, 404, 413, 415, 422])(
    "HTTP %i with an OperationOutcome was not processed, and names where",
    async (status) => {
      expect(await bare({ status, headers: json, body: JSON.stringify(outcome) })).toMatchObject({
        type: "rejected",
        correction: "correctable",
        reason: `The payer's server refused the request (HTTP ${status}): invalid at Claim.item[0].category.`,
      });
    },
  );

  test("HTTP 202 and 204 without content say so", async () => {
    for (const status of [202, 204])
      expect(await bare({ status, headers: { "Content-Location": "/jobs/1" } })).toEqual({
        type: "unknown",
        reason: `The payer's reply has no content. (HTTP ${status})`,
      });
  });

  test("HTTP 413 of a gateway was not read, and says that the request is too large", async () => {
    expect(await bare({ status: 413, headers: { "Content-Type": "text/html" }, body: "<html>" })).toEqual({
      type: "rejected",
      correction: "correctable",
      reason:
        "The payer's server takes no request of this size (HTTP 413). If it has files, send fewer or smaller ones.",
      unread: true,
    });
  });

  test.each([200, 201, 202])("HTTP %i with an OperationOutcome decides nothing", async (status) => {
    expect(await bare({ status, headers: json, body: JSON.stringify(outcome) })).toEqual(type("unknown"));
  });

  test("202 with a decision decides nothing", async () => {
    expect(await answered(() => undefined, { status: 202 })).toEqual(type("unknown"));
  });
});

describe("by body", () => {
  test.each<[string, Record<string, string>, string | Buffer]>([
    ["HTML with 200", { "Content-Type": "text/html" }, "<html>"],
    ["FHIR under the name of HTML", { "Content-Type": "text/html" }, "{}"],
    ["no content type", {}, "{}"],
    ["no JSON", json, "{"],
    ["JSON that is no object", json, "null"],
    ["another resource", json, '{"resourceType":"Patient"}'],
    ["bytes that are not UTF-8", json, Buffer.from([0x22, 0xff, 0x22])],
    ["a byte order mark", json, "\ufeff{}"],
    ["a name given twice", json, '{"resourceType":"OperationOutcome","resourceType":"Bundle"}'],
    ["an encoding nobody knows", { ...json, "Content-Encoding": "zstd-but-not" }, "{}"],
    ["gzip that is none", { ...json, "Content-Encoding": "gzip" }, "{}"],
    ["a body over the limit", json, " ".repeat(replyBytesMax + 1)],
    [
      "a body over the limit once unpacked",
      { ...json, "Content-Encoding": "gzip" },
      gzipSync(Buffer.alloc(replyBytesMax + 1)),
    ],
    ["nesting without end", json, "[".repeat(100_000) + "]".repeat(100_000)],
    ["an empty bundle", json, '{"resourceType":"Bundle","type":"collection","entry":[]}'],
  ])("%s is unknown", async (_, headers, body) => {
    expect(await bare({ status: 200, headers, body })).toEqual(type("unknown"));
  });

  test("a packed answer is read", async () => {
    const from = aBuild();
    const url = await aPayer((request, response) => {
      request
        .resume()
        .on("end", () =>
          response
            .writeHead(200, { ...json, "Content-Encoding": "gzip" })
            .end(gzipSync(JSON.stringify(aReplyTo(pasFhir.build(from)[0])))),
        );
    });
    expect(
      (
        await pasFhir.send(pasFhir.build(aBuild({ url })), {
          signal: noHurry(),
        })
      ).answer,
    ).toMatchObject({
      type: "decided",
    });
  });
});

describe("by connection", () => {
  test("a refused connection sent nothing", async () => {
    const answer = await pasFhir.send(pasFhir.build(aBuild({ url: "http://127.0.0.1:1/fhir" })), { signal: noHurry() });
    expect(answer).toEqual({
      answer: {
        type: "notSent",
        reason: "The payer could not be reached (ECONNREFUSED).",
      },
      bytes: undefined,
      host: { type: "unreachable", reason: "The payer could not be reached (ECONNREFUSED)." },
    });
  });

  test("an address inside the network sent nothing, and the reason says which rule it was", async () => {
    const from = aBuild({ url: "https://169.254.169.254/fhir" });
    expect((await pasFhir.send(pasFhir.build(from), { signal: noHurry() })).answer).toEqual({
      type: "notSent",
      reason:
        "169.254.169.254 leads to a link-local address, where cloud machines keep their credentials, which this service does not reach out to.",
    });
  });

  test("a TLS handshake that fails sent nothing", async () => {
    const url = await aPayer(() => expect.unreachable());
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url: url.replace("http:", "https:") })), {
      signal: noHurry(),
    });
    expect(answer).toEqual(type("notSent"));
  });

  test("a credential that no header can hold sent nothing", async () => {
    const url = await aPayer(() => expect.unreachable());
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url })), {
      credential: "two\nlines",
      signal: noHurry(),
    });
    expect(answer).toEqual(type("notSent"));
  });

  test.each(["not a url", "ftp://payer.test/fhir"])("the address %j sent nothing", async (url) => {
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url })), {
      signal: noHurry(),
    });
    expect(answer).toEqual(type("notSent"));
  });

  test("time that was over before sending sent nothing", async () => {
    const url = await aPayer(() => expect.unreachable());
    const { answer } = await pasFhir.send(pasFhir.build(aBuild({ url })), {
      signal: AbortSignal.abort(),
    });
    expect(answer).toEqual(type("notSent"));
  });

  test("a connection cut after the request is unknown", async () => {
    const url = await aPayer((request) => void request.resume().on("end", () => request.socket.destroy()));
    expect(
      (
        await pasFhir.send(pasFhir.build(aBuild({ url })), {
          signal: noHurry(),
        })
      ).answer,
    ).toEqual(type("unknown"));
  });

  test("a connection cut before a word was heard is unknown too", async () => {
    const url = await listening(createSocketServer((socket) => void socket.once("data", () => socket.destroy())));
    expect(
      (
        await pasFhir.send(pasFhir.build(aBuild({ url })), {
          signal: noHurry(),
        })
      ).answer,
    ).toEqual(type("unknown"));
  });

  test("a reply that breaks off is unknown", async () => {
    const url = await aPayer((request, response) => {
      request
        .resume()
        .on("end", () =>
          response.writeHead(200, { ...json, "Content-Length": "100" }).write("{", () => response.destroy()),
        );
    });
    expect(
      (
        await pasFhir.send(pasFhir.build(aBuild({ url })), {
          signal: noHurry(),
        })
      ).answer,
    ).toEqual(type("unknown"));
  });

  test("a payer that never finishes is unknown when the time is over, however busy it keeps", async () => {
    const hurry = new AbortController();
    const url = await aPayer((request, response) => {
      request.resume().on("end", () => response.writeHead(200, json).write("{", () => hurry.abort()));
    });
    expect(
      (
        await pasFhir.send(pasFhir.build(aBuild({ url })), {
          signal: hurry.signal,
        })
      ).answer,
    ).toEqual({
      type: "unknown",
      reason: "The request left, but no whole reply came in time.",
    });
  });

  test.each(["live", "test"] as const)("a %s request never leaves this machine in clear", async (environment) => {
    const from = aBuild({ url: "http://payer.test/fhir", environment });
    expect((await pasFhir.send(pasFhir.build(from), { signal: noHurry() })).answer).toMatchObject({
      type: "notSent",
      reason: "Only https leaves this machine, and the route's address is something else.",
    });
  });
});

test("what leaves is exactly the frozen bytes, with the credential and nothing else added", async () => {
  const seen: {
    digest: string;
    headers: Record<string, unknown>;
    method: string | undefined;
    url: string | undefined;
  }[] = [];
  const url = await aPayer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        seen.push({
          digest: documentDigest(Buffer.concat(chunks)),
          headers: request.headers,
          method: request.method,
          url: request.url,
        });
        response.writeHead(401).end();
      });
  });
  const calls = pasFhir.build(aBuild({ url: `${url}/fhir` }));
  await pasFhir.send(calls, { credential: "secret-1", signal: noHurry() });
  const { host } = new URL(url);
  expect(seen).toEqual([
    {
      digest: documentDigest(calls[0]?.body ?? new Uint8Array()),
      method: "POST",
      url: "/fhir/Claim/$submit",
      headers: {
        host,
        connection: "close",
        accept: "application/fhir+json",
        "accept-encoding": "identity",
        "content-type": "application/fhir+json",
        "content-length": String(calls[0]?.body.byteLength),
        authorization: "Bearer secret-1",
      },
    },
  ]);
});
