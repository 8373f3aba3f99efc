import { createServer, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished, expect, test } from "vitest";
import { listening } from "#test/support/payer/pas/listen";
import { createObjectStore } from "./object-store.ts";

/** A store that answers so. */
async function aStoreThat(answer: RequestListener, answerMs?: number) {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = await listening(server);
  const keys = { accessKeyId: "tests", secretAccessKey: "tests" };
  const store = createObjectStore({
    ...keys,
    ...{ endpoint, bucket: "bucket", region: "us-east-1", prefix: "", answerMs },
  });
  return store;
}

test("a store that never answers is waited for once, and the others are told at once that it is away", async () => {
  const store = await aStoreThat(() => undefined, 200);
  await expect(store.get("one", 100)).rejects.toThrow("no answer in time");
  await expect(store.get("one", 100)).rejects.toThrow("a moment ago");
  await expect(store.put("two", new Uint8Array(100))).rejects.toThrow("a moment ago");
});

test("a store that begins an answer and never ends it is waited for no longer", async () => {
  const store = await aStoreThat((_, response) => response.writeHead(200).write("beginning"), 200);
  await expect(store.get("one", 100)).rejects.toThrow("no answer in time");
});

test("of an object longer than ours only so much is read that it is known for another", async () => {
  const store = await aStoreThat((_, response) => response.end(Buffer.alloc(5_000_000)));
  expect(await store.get("one", 100)).toHaveLength(101);
});

test("an object cut short on the way is not taken for what came of it", async () => {
  const store = await aStoreThat((_, response) => {
    response.writeHead(200, { "content-length": 100 }).write("beginning", () => response.destroy());
  });
  await expect(store.get("one", 100)).rejects.toThrow("not at hand");
});

test("an object is missing only where the store says so, and a bucket that is missing or an address of no store is told as that", async () => {
  const says = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Key>AKIASECRET</Key></Error>`;
  const answering = (body: string) => aStoreThat((_, response) => response.writeHead(404).end(body));
  expect(await (await answering(says("NoSuchKey"))).get("one", 100)).toBeUndefined();
  const empty = await answering(says("NoSuchKey"));
  expect(await empty.trouble()).toBeUndefined();
  for (const [body, reason] of [
    [says("NoSuchBucket"), "it has no bucket of the name in ARCHIVE_BUCKET"],
    ["<h1>Not found</h1>", "it answered HTTP 404"],
  ] as const) {
    const store = await answering(body);
    await expect(store.get("one", 100)).rejects.toThrow(`The archive is not at hand: ${reason}.`);
    await expect(store.put("one", new Uint8Array(9))).rejects.toThrow(reason);
    expect(await store.trouble()).toBe(reason);
  }
});

test("an answer that is a refusal names its status and nothing of its words", async () => {
  const store = await aStoreThat((_, response) => response.writeHead(403).end("<Error>AKIASECRET</Error>"));
  await expect(store.get("one", 100)).rejects.toThrow(/^The archive is not at hand: it answered HTTP 403\.$/);
});

test("a refusal says whether keys, clock, region or limits are what is wrong, in the store's own word", async () => {
  for (const [status, code] of [
    [403, "SignatureDoesNotMatch"],
    [403, "RequestTimeTooSkewed"],
    [400, "AuthorizationHeaderMalformed"],
    [503, "SlowDown"],
  ] as const) {
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>AKIASECRET</Message></Error>`;
    const store = await aStoreThat((_, response) => response.writeHead(status).end(body));
    expect(await store.trouble()).toBe(`it answered HTTP ${status} (${code})`);
  }
  const store = await aStoreThat((_, response) =>
    response.writeHead(403).end("<Error><Code>AKIASECRET</Code></Error>"),
  );
  expect(await store.trouble()).toBe("it answered HTTP 403");
});

test("a store that keeps things is proven to though it gave no answer a moment ago, and is asked again at once", async () => {
  const kept = new Map<string | undefined, Buffer>();
  const store = await aStoreThat((request, response) => {
    if (request.url?.includes("one") === true) return;
    if (request.method === "GET") response.end(kept.get(request.url));
    else void buffer(request).then((body) => response.end(kept.set(request.url, body) && ""));
  }, 500);
  await expect(store.get("one", 100)).rejects.toThrow("no answer in time");
  await expect(store.get("two", 100)).rejects.toThrow("a moment ago");
  await store.prove();
  await store.put("two", Buffer.from("of two"));
  expect(Buffer.from((await store.get("two", 100)) ?? []).toString()).toBe("of two");
});

test("a store that gives back something else than it took is not at hand", async () => {
  const store = await aStoreThat((request, response) => request.resume().on("end", () => response.end("else")));
  await expect(store.prove()).rejects.toThrow("it did not give back what it was given");
});
