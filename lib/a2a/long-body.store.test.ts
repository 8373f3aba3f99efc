import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { createChannelKey } from "#lib/auth/channel-key";
import { a2aListener } from "#lib/http/a2a-listener";
import { createFront } from "#lib/http/front";
import { aChannel, aPractice, aStore } from "#test/cases";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/edge";
import { aFilePart } from "#test/files";
import { exchange, listening } from "#test/served";
import { bodiesWithFilesMax, bodyBytesMax, bodyWithFilesBytesMax } from "./limits.ts";

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
  test("is taken under a live key, however it is framed", async () => {
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

  test("has a limit of its own under a live key, announced or not", async () => {
    const tooLong = `${long}${" ".repeat(bodyWithFilesBytesMax)}`;
    const answers = await Promise.all([
      exchange(url, announced(bodyWithFilesBytesMax + 1, key) + "{"),
      exchange(url, chunked(tooLong, key)),
      callEdge(deps, tooLong, { key }).then(({ status }) => `HTTP/1.1 ${status} `),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  test("waits its turn where many arrive at once, and gives its room back however it ends", async () => {
    const answerNow = () => exchange(url, announced(Buffer.byteLength(long), key) + long);
    const unfinished: Socket[] = [];
    const afterOneMore = () => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => undefined);
      socket.write(announced(Buffer.byteLength(long), key) + long.slice(0, bodyBytesMax));
      unfinished.push(socket);
      return answerNow();
    };
    const answer = await until(afterOneMore, (text) => text.startsWith("HTTP/1.1 503 "));
    expect(unfinished.length).toBeGreaterThanOrEqual(bodiesWithFilesMax);
    expect(answer.toLowerCase()).toContain("\r\nretry-after: ");
    expect(answer).toContain('"code":-32000');
    for (const socket of unfinished) socket.destroy();
    expect(await until(answerNow, (text) => text.startsWith("HTTP/1.1 200 "))).toContain('"kind":"task"');
  });
});

async function until(ask: () => Promise<string>, isGood: (answer: string) => boolean): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask();
    if (isGood(answer) || tries === 50) return answer;
  }
}
