import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createChannelKey } from "#lib/channel/channel-key";
import { a2aListener } from "#lib/a2a/listener";
import { createFront } from "#lib/platform/http/front";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { aFilePart } from "#test/support/agents/files";
import { exchange, listening } from "#test/support/servers/served";
import { bodyBytesMax } from "#lib/platform/http/arrival";
import { bodyWithFilesBytesMax, longBodies } from "#lib/a2a/admit/limits";

const store = aStore();
const deps = edgeDeps(store);
const server = createFront({
  byPath: { "/api/a2a": a2aListener(deps) },
  rest: (_, outgoing) => void outgoing.end(),
  upgrades: () => false,
  onError: (error) => {
    throw error;
  },
});
const url = await listening(server);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
});

const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const { key: unknown } = createChannelKey(store);
const long = JSON.stringify(
  rpc("message/send", intakeParams({ practiceId, parts: [aFilePart(Buffer.alloc(2 * bodyBytesMax, "note "))] })),
);
const head = (headers: string) =>
  `POST /api/a2a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n`;
const announced = (bytes: number, given: string) => head(`Authorization: Bearer ${given}\r\nContent-Length: ${bytes}`);
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const chunked = (text: string, given: string) =>
  `${head(`Authorization: Bearer ${given}\r\nTransfer-Encoding: chunked`)}${chunk(text)}0\r\n\r\n`;

describe("a body over the plain limit", () => {
  test("is accepted with a valid key, with any framing", async () => {
    const answers = await Promise.all([
      exchange(url, announced(Buffer.byteLength(long), key) + long),
      exchange(url, chunked(long, key)),
      callEdge(deps, long, { key }).then(({ text }) => `HTTP/1.1 200 ${text}`),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
      expect(answer).toContain('"state":"transmit-held"');
    }
  });

  test.each([
    ["no key", ""],
    ["an unknown key", unknown],
    ["no key at all", "x y z"],
  ])("is not read under %s: 413, as before", async (_, given) => {
    const answers = await Promise.all([
      exchange(url, announced(Buffer.byteLength(long), given) + long.slice(0, 100)),
      exchange(url, `${head(`Authorization: Bearer ${given}\r\nTransfer-Encoding: chunked`)}${chunk(long)}`),
      callEdge(deps, long, { headers: { authorization: `Bearer ${given}` } }).then(
        ({ status }) => `HTTP/1.1 ${status} `,
      ),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test("has a limit of its own with a valid key, with or without its length announced", async () => {
    const tooLong = JSON.stringify({
      params: { message: { parts: [{ file: { bytes: "A".repeat(bodyWithFilesBytesMax) } }] } },
    });
    const answers = await Promise.all([
      exchange(url, announced(bodyWithFilesBytesMax + 1, key) + "{"),
      exchange(url, chunked(tooLong, key)),
      callEdge(deps, tooLong, { key }).then(({ status }) => `HTTP/1.1 ${status} `),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test("that is mostly text is refused before it is read whole, and nothing is stored", async () => {
    const before = await store.prisma.message.count({ where: { practiceId } });
    const note = { kind: "text", text: "note ".repeat(6 * bodyBytesMax) };
    const text = JSON.stringify(rpc("message/send", intakeParams({ practiceId, parts: [note] })));
    const elsewhere = JSON.stringify(rpc("tasks/get", { id: "1", file: { bytes: "A".repeat(2 * bodyBytesMax) } }));
    const answers = await Promise.all([
      // The answer comes although only a little more is sent than is needed to refuse it.
      exchange(url, announced(Buffer.byteLength(text), key) + text.slice(0, bodyBytesMax + 100_000)),
      exchange(url, `${head(`Authorization: Bearer ${key}\r\nTransfer-Encoding: chunked`)}${chunk(elsewhere)}`),
      // A client that writes everything before it reads gets the answer as well.
      fetch(`${url}/api/a2a`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: text,
      }).then(async (response) => `HTTP/1.1 ${response.status} ${await response.text()}`),
      callEdge(deps, text, { key }).then(({ status, text: body }) => `HTTP/1.1 ${status} ${body}`),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer).toContain("params.message.parts[].file.bytes");
    }
    expect(await store.prisma.message.count({ where: { practiceId } })).toBe(before);
  });

  test("that is mostly text is refused to one channel a few times a second, however many it sends at once, and others meanwhile", async () => {
    const { key: textKey } = await aChannel(store, { practices: [practiceId] });
    const note = { kind: "text", text: "note ".repeat(bodyBytesMax) };
    const text = JSON.stringify(rpc("message/send", intakeParams({ practiceId, parts: [note] })));
    const { each } = longBodies.reading;
    const began = performance.now();
    const refused = Promise.all(
      Array.from({ length: 3 * each }, () =>
        exchange(url, announced(Buffer.byteLength(text), textKey) + text.slice(0, bodyBytesMax + 100_000)),
      ),
    );
    expect(await exchange(url, announced(Buffer.byteLength(long), key) + long)).toMatch(/^HTTP\/1.1 200 /);
    for (const answer of await refused) expect(answer).toMatch(/^HTTP\/1.1 413 /);
    // Three turns of a second each; a timer may be a little early.
    expect(performance.now() - began).toBeGreaterThan(2_900);
  });

  test("sent twelve times at once by one channel is answered twelve times", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => exchange(url, announced(Buffer.byteLength(long), key) + long)),
    );
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  test("that one channel never finishes takes no place that another channel needs, and its places are freed", async () => {
    const { key: slowKey } = await aChannel(store, { practices: [practiceId] });
    const begun = announced(Buffer.byteLength(long), slowKey) + long.slice(0, bodyBytesMax);
    const { each, waitingEach } = longBodies.reading;
    const unfinished = Array.from({ length: each + waitingEach + 1 }, () => begin(begun));
    // The body that finds no room to wait is refused at once, which shows that all the others wait.
    const firstText = () => unfinished.map(({ response }) => response.join("")).find((text) => text !== "") ?? "";
    await vi.waitUntil(() => firstText().includes("-32000"), { timeout: 14_000 });
    expect(firstText()).toMatch(/^HTTP\/1.1 503 /);
    expect(firstText().toLowerCase()).toContain("\r\nretry-after: ");
    const others = await Promise.all(
      [1, 2, 3].map(() => exchange(url, announced(Buffer.byteLength(long), key) + long)),
    );
    for (const answer of others) expect(answer).toMatch(/^HTTP\/1.1 200 /);
    for (const { socket } of unfinished) socket.destroy();
    const own = () => exchange(url, announced(Buffer.byteLength(long), slowKey) + long);
    expect(await until(own, (text) => text.startsWith("HTTP/1.1 200 "))).toContain('"kind":"task"');
  });
});

function begin(bytes: string): { readonly socket: Socket; readonly response: readonly string[] } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
  const response: string[] = [];
  socket.on("data", (chunk) => void response.push(chunk.toString()));
  socket.write(bytes);
  return { socket, response };
}

async function until(ask: () => Promise<string>, isGood: (answer: string) => boolean): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask();
    if (isGood(answer) || tries === 50) return answer;
  }
}
