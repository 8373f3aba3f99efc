import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import type { Locator, Page, Route } from "@playwright/test";
import { actionId } from "../authority/built.ts";
import {
  aPractice,
  expect,
  fullIntake,
  openCase,
  release,
  releaseButton,
  standing,
  test,
} from "../fixtures/journey.ts";
import type { ProcessName, Stack } from "../fixtures/stack.ts";

type Post = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Presses a button and keeps what the browser would have sent; it never arrives. */
async function pressed(page: Page, button: Locator): Promise<Post> {
  const kept = Promise.withResolvers<Post>();
  const intercept = async (route: Route) => {
    const request = route.request();
    const headers = await request.allHeaders();
    // A page posts by itself that it is read.
    if (headers["next-action"] === undefined) return route.continue();
    kept.resolve({ url: request.url(), headers, body: request.postDataBuffer()?.toString("latin1") ?? "" });
    await route.abort();
  };
  await page.route("**/*", intercept);
  await button.click();
  const post = await kept.promise;
  await page.unroute("**/*", intercept);
  return post;
}

/** Sends a post as whoever holds the bytes could; resolves to the status. */
async function send(post: Post, changed: Readonly<Record<string, string | undefined>> = {}): Promise<number> {
  return (await answerTo(post, changed)).status;
}

function answerTo({ url, headers, body }: Post, changed: Readonly<Record<string, string | undefined>> = {}) {
  const plain = Object.entries({ ...headers, ...changed }).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith(":") && !["content-length", "host"].includes(entry[0]),
  );
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers: Object.fromEntries(plain) }, (answer) => {
      const status = answer.statusCode ?? 0;
      const type = answer.headers["content-type"] ?? "";
      text(answer).then((text) => resolve({ status, type, text }), reject);
    });
    request.on("error", reject).end(Buffer.from(body, "latin1"));
  });
}

async function cookieOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

test("a post of a release that is forged, stale, of another practice or a replay decides nothing, and is in the log", async ({
  stack,
  browserOf,
}) => {
  test.slow();
  const practice = await aPractice(stack, { recallWindowS: 600 });
  const elsewhere = await aPractice(stack, { name: "Harbor Cardiology" });
  const sent = await practice.agent.send(fullIntake(practice));
  const theirs = await elsewhere.agent.send(fullIntake(elsewhere));
  const [page, stranger] = [await browserOf(practice.reviewer), await browserOf(elsewhere.reviewer)];
  await openCase(page, sent.id);
  const post = await pressed(page, releaseButton(page));
  const stateOf = async () => (await practice.agent.get(sent.id)).state;

  const forged: Readonly<Record<string, () => Promise<number>>> = {
    "another origin": () => send(post, { origin: "https://elsewhere.example" }),
    "no origin of a browser that would send one": () => send(post, { origin: "null" }),
    "nobody's session": () => send(post, { cookie: "" }),
    "the session of a reviewer of another practice": async () => send(post, { cookie: await cookieOf(stranger) }),
    "another digest": () => send({ ...post, body: post.body.replaceAll(sent.gate?.digest ?? "-", "0".repeat(64)) }),
    "another gate": () => send({ ...post, body: post.body.replaceAll(sent.gate?.id ?? "-", theirs.gate?.id ?? "-") }),
  };
  for (const [what, attempt] of Object.entries(forged)) {
    expect(await attempt(), what).toBeLessThan(500);
    expect(await stateOf(), what).toBe("transmit-held");
  }

  const named = [
    [sent.id, theirs.id],
    [sent.gate?.id ?? "-", theirs.gate?.id ?? "-"],
    [sent.gate?.digest ?? "-", theirs.gate?.digest ?? "-"],
  ] as const;
  const body = named.reduce((text, [from, to]) => text.replaceAll(from, to), post.body);
  expect(await send({ ...post, body })).toBeLessThan(500);
  expect((await elsewhere.agent.get(theirs.id)).state).toBe("transmit-held");

  // The post as it was made releases once; again, and after a recall, it decides nothing.
  expect(await send(post)).toBeLessThan(400);
  expect(await stateOf()).toBe("transmit-released");
  expect(await send(post)).toBeLessThan(400);
  await page.reload();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(releaseButton(page)).toBeVisible();
  expect(await send(post)).toBeLessThan(400);
  expect(await stateOf()).toBe("transmit-held");

  const logged = () =>
    stack
      .tailOf("server")
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Readonly<Record<string, unknown>>] : []));
  const refused = { msg: "a request was refused", method: "POST", place: "/tasks/[id]", status: 403 };
  await expect.poll(logged).toContainEqual(expect.objectContaining(refused));
  const form = { msg: "a form was refused", place: "/tasks/[id]", rule: "not-found", person: expect.any(String) };
  await expect.poll(logged).toContainEqual(expect.objectContaining(form));
  const signedOut = { msg: "a form was refused", place: "/tasks/[id]", rule: "signed-out" };
  await expect.poll(logged).toContainEqual(expect.objectContaining(signedOut));
});

/** Every line of a process's log, each of which has to be an entry. */
const entriesOf = (stack: Stack, name: ProcessName) =>
  stack
    .tailOf(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

test("a request that no browser makes of itself is answered for what it asks, never as a failure of ours", async ({
  stack,
  browserOf,
}) => {
  const practice = await aPractice(stack);
  const page = await browserOf(practice.reviewer);
  const states = ["", "null", "[]", "-1", '["",{}', "%", "%ff", '["",{"a":["b"]}]', "x".repeat(9_000)];
  const requests: ReadonlyArray<readonly [path: string, headers: Record<string, string>]> = [
    ...["/queue", "/sign-in", "/nothing", "/tasks/none"].flatMap((path) =>
      states.map((state) => [path, { rsc: "1", "next-router-state-tree": state }] as const),
    ),
    ["/icon.svg", { "if-match": '"another"' }],
    ["/icon.svg", { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }],
    ["/api/auth/callback/credentials", {}],
    ["/api/auth/signin?callbackUrl=%ff%fe", {}],
    ["/api/auth/signin?callbackUrl='\"", {}],
    ["/api/auth/callback/none", {}],
    ["/api/auth/%00", {}],
  ];
  for (const [path, headers] of requests) {
    const answer = await page.request.get(path, { headers, maxRedirects: 0 });
    expect(answer.status(), `${path} ${JSON.stringify(headers).slice(0, 80)}`).toBeLessThan(500);
  }
  expect(stack.tailOf("server")).not.toContain('"level":"error"');
});

test("a post that no page of ours sends is answered 400 and does nothing, whoever sends it, and forges no line of the log", async ({
  stack,
  browserOf,
}) => {
  const practice = await aPractice(stack);
  const { id } = await practice.agent.send(fullIntake(practice));
  const cookie = await cookieOf(await browserOf(practice.reviewer));
  const decide = actionId("app/tasks/[id]/decision/actions.ts#decide");
  const line = '\n{"level":"info","process":"server","msg":"forged"}';
  const multipart = "multipart/form-data; boundary=b";
  const part = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const deep = `${"[".repeat(60_000)}${"]".repeat(60_000)}`;
  const malformed: Readonly<Record<string, { headers: Record<string, string>; body: string }>> = {
    "a multipart form without its boundary": { headers: { "content-type": "multipart/form-data" }, body: "x" },
    "a multipart form that is none": { headers: { "content-type": multipart }, body: `not one${line}` },
    "a multipart form cut off": { headers: { "content-type": multipart }, body: part("a", "b") },
    "a form for an action that is none": {
      headers: { "content-type": multipart },
      body: `${part("$ACTION_ID_x", "")}--b--`,
    },
    "an action that is none": { headers: { "next-action": `x{"level":"info"}` }, body: "[]" },
    "an action's arguments that are none": { headers: { "next-action": decide }, body: `{${line}` },
    "an action's arguments too deep": { headers: { "next-action": decide }, body: deep },
    "an action's arguments that name nothing": { headers: { "next-action": decide }, body: `["$F1","$Kff","$Q2"]` },
    "an action's arguments cut off": {
      headers: { "next-action": decide, "content-type": multipart },
      body: part("0", `["$K1"]`),
    },
    "an action's arguments as what they are not": {
      headers: { "next-action": decide, "content-type": multipart },
      body: `${part("0", `{"a":"$F9"${line}`)}--b--`,
    },
    "an action's arguments without a boundary": {
      headers: { "next-action": decide, "content-type": "multipart/form-data" },
      body: "x",
    },
  };
  const answers = [];
  for (const [what, { headers, body }] of Object.entries(malformed)) {
    for (const who of ["", cookie]) {
      const all = { "content-type": "text/plain;charset=UTF-8", origin: stack.baseUrl, cookie: who, ...headers };
      const { status, type, text } = await answerTo({ url: `${stack.baseUrl}/tasks/${id}`, headers: all, body });
      answers.push([what, status, type, /<h1>(.*?)<\/h1>/.exec(text)?.[1]]);
    }
  }
  const expected = [400, "text/html; charset=utf-8", "That form could not be read"];
  expect(answers).toEqual(answers.map(([what]) => [what, ...expected]));
  expect((await practice.agent.get(id)).state).toBe("transmit-held");

  for (const path of ["/_next/image", "/_next/image/", "//_next/image", "/_next//image", "/%5Fnext/image"]) {
    const address = `${stack.baseUrl}${path}?w=64&q=75&url=${encodeURIComponent(`/absent${line}\n`)}`;
    expect([path, (await fetch(address)).status]).toEqual([path, 404]);
  }
  // An id as the build makes them, of no action: a page drawn before an upgrade has such.
  const gone = { "next-action": `40${"0".repeat(40)}`, origin: stack.baseUrl };
  expect(await send({ url: `${stack.baseUrl}/queue`, headers: gone, body: "[]" })).toBe(409);
  const typed = { "content-type": multipart, origin: stack.baseUrl };
  const old = {
    url: `${stack.baseUrl}/queue`,
    headers: typed,
    body: `${part(`$ACTION_ID_40${"0".repeat(40)}`, "")}--b--`,
  };
  expect(await answerTo(old)).toMatchObject({ status: 409, text: expect.stringContaining("That page is out of date") });
  const entries = entriesOf(stack, "server");
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter(({ msg, level }) => msg === "forged" || level === "error" || level === "fatal")).toEqual([]);
});

/** The same post with texts in place of others. */
const swapped = (post: Post, swaps: Readonly<Record<string, string>>): Post => ({
  ...post,
  body: Object.entries(swaps).reduce((text, [from, to]) => text.replaceAll(from, to), post.body),
});

test("a post of an undo or a correction that is forged, of another case or a replay does nothing, and fails nothing", async ({
  stack,
  browserOf,
}) => {
  test.slow();
  const practice = await aPractice(stack, { recallWindowS: 600 });
  const elsewhere = await aPractice(stack, { name: "Harbor Cardiology", recallWindowS: 600 });
  const [mine, other, theirs] = [
    await practice.agent.send(fullIntake(practice)),
    await practice.agent.send(fullIntake(practice, { memberId: "HM4471031" })),
    await elsewhere.agent.send(fullIntake(elsewhere)),
  ];
  const [page, stranger] = [await browserOf(practice.reviewer), await browserOf(elsewhere.reviewer)];
  const states = async () => [
    (await practice.agent.get(mine.id)).state,
    (await practice.agent.get(other.id)).state,
    (await elsewhere.agent.get(theirs.id)).state,
  ];
  for (const [reader, { id }] of [
    [page, other],
    [page, mine],
    [stranger, theirs],
  ] as const) {
    await openCase(reader, id);
    await release(reader);
    await expect(standing(reader)).toContainText("Released by");
  }
  const undo = await pressed(page, page.getByRole("button", { name: /^Undo/ }).first());
  const released = Array(3).fill("transmit-released");
  const [gate, otherGate, theirGate] = [mine.gate?.id ?? "-", other.gate?.id ?? "-", theirs.gate?.id ?? "-"];
  const long = "x".repeat(4_000);
  for (const [what, forged, changed] of [
    ["another origin", undo, { origin: "https://elsewhere.example" }],
    ["a reviewer of another practice", undo, { cookie: await cookieOf(stranger) }],
    ["another case, under this gate", swapped(undo, { [mine.id]: other.id }), {}],
    ["this case, under another's gate", swapped(undo, { [gate]: otherGate }), {}],
    ["a case of another practice", swapped(undo, { [mine.id]: theirs.id, [gate]: theirGate }), {}],
    ["a gate that is none", swapped(undo, { [gate]: "x\0' --" }), {}],
    ["a gate of any length", swapped(undo, { [gate]: long }), {}],
    ["a case that is none", swapped(undo, { [mine.id]: "%00" }), {}],
    ["no form any more", { ...undo, body: undo.body.slice(0, undo.body.length / 2) }, {}],
  ] as const) {
    expect(await send(forged, changed), what).toBeLessThan(500);
    expect(await states(), what).toEqual(released);
  }
  expect(await send(undo)).toBeLessThan(400);
  expect(await states()).toEqual(["transmit-held", ...released.slice(1)]);
  await page.reload();
  await release(page);
  await expect(standing(page)).toContainText("Released by");
  expect(await send(undo)).toBeLessThan(400);
  expect(await states()).toEqual(released);
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect(releaseButton(page)).toBeVisible();

  await page.goto(`/tasks/${mine.id}?edit=1`);
  await page.getByRole("group", { name: "Service 1" }).getByLabel("Modifier 1").fill("LT");
  const save = await pressed(page, page.getByRole("button", { name: "Save as new revision" }));
  const digest = (await practice.agent.get(mine.id)).gate?.digest ?? "-";
  const field = "value:/procedures/0/modifierCode1";
  expect(save.body).toContain(field);
  for (const [what, forged, changed] of [
    ["a reviewer of another practice", save, { cookie: await cookieOf(stranger) }],
    ["another digest", swapped(save, { [digest]: "0".repeat(64) }), {}],
    ["another case", swapped(save, { [mine.id]: other.id }), {}],
    ["a case of another practice", swapped(save, { [mine.id]: theirs.id }), {}],
    ["the payer", swapped(save, { [field]: "value:/payer/id" }), {}],
    ["what no request has", swapped(save, { [field]: "value:/__proto__/x" }), {}],
    ["a line beyond all", swapped(save, { [field]: "value:/procedures/999999999/code" }), {}],
  ] as const) {
    expect(await send(forged, changed), what).toBeLessThan(500);
    expect((await practice.agent.get(mine.id)).revision?.number, what).toBe(1);
  }
  expect(await send(save)).toBeLessThan(400);
  expect(await send(save)).toBeLessThan(400);
  expect((await practice.agent.get(mine.id)).revision?.number).toBe(2);
  const entries = entriesOf(stack, "server");
  expect(entries.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
});
