import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createChannelKey } from "#lib/channel/channel-key";
import { callEdge, edgeDeps } from "#test/support/agents/edge";
import { bodyBytesMax } from "#lib/platform/http/arrival";

const call = (body: string | Uint8Array, options = {}) => callEdge(edgeDeps(), body, options);
const utf8 = (text: string) => new TextEncoder().encode(text);
const get = '{"jsonrpc":"2.0","id":"1","method":"tasks/get","params":{"id":"x"}}';

describe("HTTP", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s is answered 405 with what is allowed",
    async (method) => {
      const answer = await call(get, { method });
      expect(answer).toMatchObject({ status: 405, headers: { allow: "POST", "content-type": "application/json" } });
      expect(answer.json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } });
    },
  );

  test.each([
    "application/json; charset=utf-8",
    "Application/JSON",
    'application/json;charset="UTF-8"',
    "application/json ; charset = utf-8",
  ])("%s is JSON", async (type) => {
    expect((await call("{", { headers: { "content-type": type } })).status).toBe(400);
  });

  test.each([
    "text/plain",
    "application/json; charset=utf-16",
    "application/jsonp",
    "application/json, text/plain",
    "application/json-rpc",
    "",
  ])("%s is not, and answered 415", async (type) => {
    expect(await call(get, { headers: { "content-type": type } })).toMatchObject({
      status: 415,
      json: { id: null, error: { code: -32600 } },
    });
  });

  test("a content encoding is answered 415", async () => {
    expect((await call(get, { headers: { "content-encoding": "gzip" } })).status).toBe(415);
  });

  test("a body over the limit is answered 413, with or without its length announced; a body at the limit is read", async () => {
    const padded = (bytes: number) => get.padEnd(bytes, " ");
    expect((await call(padded(bodyBytesMax + 1))).status).toBe(413);
    expect((await call("{}", { headers: { "content-length": String(bodyBytesMax + 1) } })).status).toBe(413);
    expect((await call("x".padStart(bodyBytesMax, " "))).status).toBe(400);
  });
});

describe("bytes that are not JSON are -32600 with a null id and HTTP 400", () => {
  test.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["spaces", " \n"],
    ["half an object", '{"jsonrpc":"2.0",'],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", "{}//"],
    ["single quotes", "{'a':1}"],
    ["two values", "{}{}"],
    ["NaN", '{"id":NaN}'],
    ["a byte order mark", utf8(`\ufeff${get}`)],
    ["UTF-16", Buffer.from(get, "utf16le")],
    ["a lone continuation byte", Buffer.concat([utf8('{"a":"'), Buffer.from([0x80]), utf8('"}')])],
    ["an overlong form", Buffer.concat([utf8('{"a":"'), Buffer.from([0xc0, 0xaf]), utf8('"}')])],
    ["an encoded surrogate", Buffer.concat([utf8('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), utf8('"}')])],
    ["a cut-off character", Buffer.concat([utf8('{"a":"'), Buffer.from([0xf0, 0x9f, 0x98])])],
    ["a raw control character", '{"a":"\u0000"}'],
    ["100,000 open arrays", "[".repeat(100_000)],
  ])("%s", async (_, body) => {
    const answer = await call(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "Invalid request" },
    });
  });
});

describe("JSON that is no request is -32600", () => {
  test.each<[string, string, string | number | null]>([
    ["a batch", `[${get}]`, null],
    ["an empty batch", "[]", null],
    ["a string", '"x"', null],
    ["null", "null", null],
    ["100,000 arrays", "[".repeat(100_000) + "]".repeat(100_000), null],
    ["an empty object", "{}", null],
    ["no id", '{"jsonrpc":"2.0","method":"tasks/get","params":{"id":"x"}}', null],
    ["a null id", '{"jsonrpc":"2.0","id":null,"method":"tasks/get"}', null],
    ["a fractional id", '{"jsonrpc":"2.0","id":1.5,"method":"tasks/get"}', null],
    ["an id beyond safe integers", '{"jsonrpc":"2.0","id":9007199254740993,"method":"tasks/get"}', null],
    ["an id that would be rounded", '{"jsonrpc":"2.0","id":1.00000000000000000001,"method":"tasks/get"}', null],
    ["minus zero as id", '{"jsonrpc":"2.0","id":-0,"method":"tasks/get"}', null],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"tasks/get"}', null],
    ["two ids", '{"jsonrpc":"2.0","id":1,"id":2,"method":"tasks/get"}', null],
    ["no version", '{"id":7,"method":"tasks/get"}', 7],
    ["another version", '{"jsonrpc":"1.0","id":7,"method":"tasks/get"}', 7],
    ["a version that is a number", '{"jsonrpc":2.0,"id":7,"method":"tasks/get"}', 7],
    ["no method", '{"jsonrpc":"2.0","id":"\\u0000"}', "\0"],
    ["a method that is no string", '{"jsonrpc":"2.0","id":"x","method":1}', "x"],
    ["params that are a string", '{"jsonrpc":"2.0","id":"x","method":"tasks/get","params":"y"}', "x"],
    ["params that are null", '{"jsonrpc":"2.0","id":"x","method":"tasks/get","params":null}', "x"],
  ])("%s", async (_, body, id) => {
    const answer = await call(body);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ jsonrpc: "2.0", id, error: { code: -32600, message: "Invalid request" } });
  });
});

test("a failure of ours is -32603 with a fixed text, and only the log has the cause", async () => {
  const deps = edgeDeps();
  const { key } = createChannelKey({ keyPepper: createSecretKey(Buffer.alloc(32)) });
  const answer = await callEdge(deps, get, { key });
  expect(answer).toMatchObject({
    status: 200,
    json: {
      jsonrpc: "2.0",
      id: "1",
      error: { code: -32603, message: "Internal error", data: { requestId: answer.headers["x-request-id"] } },
    },
  });
  expect(JSON.stringify(deps.lines)).toContain("The store was touched.");
  for (const line of deps.lines) expect(line.requestId).toBe(answer.headers["x-request-id"]);
});

test("every answer names its request anew, whatever the client called it, and an error says it as well", async () => {
  const headers = { "x-request-id": "mine" };
  const answers = [
    await call(get, { headers }),
    await call("{", { headers }),
    await call(get, { headers, method: "PUT" }),
  ];
  const named = answers.map((answer) => answer.headers["x-request-id"]);
  for (const name of named) expect(name).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(named).size).toBe(3);
  for (const [index, { json }] of answers.slice(1).entries()) expect(json.error.data.requestId).toBe(named[index + 1]);
});

test("a request without an id is answered under null, as an unknown method or wrong params where it is that too", async () => {
  const codeOf = async (request: object) => {
    const { json } = await call(JSON.stringify({ jsonrpc: "2.0", ...request }));
    return [json.id, json.error.code];
  };
  expect(await codeOf({ method: "tasks/list" })).toEqual([null, -32601]);
  expect(await codeOf({ method: "tasks/list", params: 7 })).toEqual([null, -32601]);
  expect(await codeOf({ method: "tasks/get", params: {} })).toEqual([null, -32602]);
  expect(await codeOf({ method: "tasks/get", params: { id: "x" } })).toEqual([null, -32600]);
  expect(await codeOf({ method: "tasks/get", params: 7 })).toEqual([null, -32600]);
  expect(await codeOf({ id: null, method: "tasks/list" })).toEqual([null, -32600]);
});

test("every answer is JSON that must not be cached", async () => {
  for (const answer of [await call(get), await call("{"), await call(get, { method: "GET" }), await call("[]")]) {
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  }
});
