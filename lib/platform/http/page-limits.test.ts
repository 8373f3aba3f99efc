import { createServer } from "node:http";
import { encode } from "next-auth/jwt";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSessionTokens } from "#lib/person/session/session-token";
import { listening } from "#test/support/servers/served";
import { limitedPages } from "./page-limits.ts";
import { createPersonOf } from "./person-of.ts";

const secret = "tests only, sessions";
const perSecond = 1;
/** So many at once, at one a second. */
const burst = 15;
const refusedAfterMs = 50;

const [ended, looked] = [new Set<string>(), [] as string[]];
const hasEnded = (sessionId: string) => ended.has(sessionId);
const look = (sessionId: string) => void looked.push(sessionId);
const tokens = createSessionTokens({ secret, cookieName: "next-auth.session-token", hasEnded });
const reported: unknown[] = [];
let drawn = 0;
let clock = 1_000;
const rated = { perSecond, burstS: burst, now: () => clock, onRefused: (refused: unknown) => reported.push(refused) };
const limited = limitedPages(
  (_, outgoing) => {
    drawn += 1;
    outgoing.end("drawn");
  },
  {
    personOf: createPersonOf({ tokens, look, ...rated }),
    refusedAfterMs,
    ...rated,
  },
);
const server = createServer((incoming, outgoing) => void limited(incoming, outgoing));
let url: string;
beforeAll(async () => {
  url = await listening(server);
});
afterAll(() => server.close());

const aToken = (personId: string, sid: string = crypto.randomUUID()) =>
  encode({ token: { sub: personId, sid }, secret, maxAge: 600 });
const ask = (token?: string, headers: Record<string, string> = {}, path = "/queue") =>
  fetch(`${url}${path}`, {
    headers: { ...headers, ...(token === undefined ? {} : { cookie: `times=own; ${tokens.cookieName}=${token}` }) },
  });
const statuses = async (answers: readonly Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const served = (list: readonly number[]) => list.filter((status) => status === 200).length;

test("one person's loop is told when to come back and nothing is drawn for it, whatever session it has; others go on", async () => {
  const [mine, again, theirs] = [await aToken("one"), await aToken("one"), await aToken("other")];
  for (const token of [mine, again, theirs]) expect((await ask(token)).status).toBe(200);
  const before = drawn;
  const loop = await statuses(times(60, (index) => ask(index % 2 === 0 ? mine : again)));
  expect(served(loop)).toBe(burst - 2);
  expect(drawn - before).toBe(served(loop));
  const refused = await ask(mine);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8");
  // In a landmark, without which a reader of the screen does not find it.
  expect(await refused.text()).toMatch(/<main>\s*<h1>That was very fast<\/h1>\s*<p>Nothing was done\./);
  const ofScript = await ask(mine, { "next-action": "00" });
  expect([ofScript.status, ofScript.headers.get("content-type")]).toEqual([429, "text/plain; charset=utf-8"]);
  expect((await ask(theirs)).status).toBe(200);
  expect(reported).toContainEqual({ subject: "person:one", count: 1 });
  clock += 1_000;
  expect(await statuses([ask(mine), ask(again)])).toEqual(expect.arrayContaining([200, 429]));
});

test("whoever is not signed in is counted by network, also with tokens they made up, and people there go on", async () => {
  const [mine, justSignedIn] = [await aToken("third"), await aToken("fifth")];
  expect((await ask(mine)).status).toBe(200);
  const forged = await encode({ token: { sub: "x", sid: "y" }, secret: "another", maxAge: 600 });
  const over = await encode({ token: { sub: "x", sid: "y" }, secret, maxAge: -60 });
  expect(served(await statuses(times(90, () => ask())))).toBe(burst);
  expect((await ask()).status).toBe(429);
  expect((await ask(justSignedIn)).status).toBe(200);
  const madeUp = times(90, (index) => ask([forged, over, `made-up-${index}`][index % 3]));
  expect(served(await statuses(madeUp))).toBe(0);
  expect((await ask(mine)).status).toBe(200);
});

test("a token whose session is over counts as a stranger's, and it is looked once a minute whether it is", async () => {
  clock += 60_000;
  const sessionId = crypto.randomUUID();
  const [stolen, anew] = [await aToken("sixth", sessionId), await aToken("sixth")];
  await statuses([...times(3, () => ask(stolen)), ask(anew)]);
  expect(looked.filter((id) => id === sessionId)).toHaveLength(1);
  clock += 60_000;
  await ask(stolen);
  expect(looked.filter((id) => id === sessionId)).toHaveLength(2);
  ended.add(sessionId);
  await statuses(times(60, () => ask(stolen)));
  // One was used up while its session lived.
  expect(served(await statuses(times(burst, () => ask(anew))))).toBe(burst - 1);
  clock += 60_000;
});

test("a refusal is told only later, so that whoever asks again at each answer asks seldom", async () => {
  await Promise.all(times(burst + 1, () => ask()));
  const began = performance.now();
  for (const _ of [1, 2, 3]) expect((await ask()).status).toBe(429);
  expect(performance.now() - began).toBeGreaterThanOrEqual(3 * (refusedAfterMs - 1));
});

test("strangers' pages are drawn one after the other of their network, and nobody signed in waits for them", async () => {
  const begun: (() => void)[] = [];
  let arrived = 0;
  const drawing = limitedPages((_, outgoing) => void begun.push(() => void outgoing.end("drawn")), {
    ...{ personOf: createPersonOf({ tokens, look, ...rated }), placeMs: 60_000, ...rated },
  });
  const slow = createServer((incoming, outgoing) => {
    arrived += 1;
    void drawing(incoming, outgoing);
  });
  const address = await listening(slow);
  try {
    const strangers = times(3, () => fetch(address));
    await vi.waitUntil(() => arrived === 3 && begun.length > 0);
    const cookie = `${tokens.cookieName}=${await aToken("sixth")}`;
    const mine = times(2, () => fetch(address, { headers: { cookie } }));
    await vi.waitUntil(() => begun.length >= 3);
    expect(begun).toHaveLength(3);
    for (let index = 0; index < 5; index += 1) {
      await vi.waitUntil(() => begun.length > index);
      begun[index]?.();
    }
    expect(served(await statuses([...strangers, ...mine]))).toBe(5);
  } finally {
    slow.closeAllConnections();
    slow.close();
  }
});

test("the files a page is drawn with count for little beside it", async () => {
  const mine = await aToken("fourth");
  await tokens.open(mine);
  const files = await statuses(times(100, (index) => ask(mine, {}, `/_next/static/chunks/${index}.js`)));
  expect(served(files)).toBe(100);
});
