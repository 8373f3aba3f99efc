import { request as httpRequest } from "node:http";
import type { Page } from "@playwright/test";
import { aPractice, expect, fullIntake, openCase, test } from "./fixtures/journey.ts";

type Post = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Presses Release and keeps what the browser would have sent; it never arrives. */
async function pressed(page: Page, taskId: string): Promise<Post> {
  const kept = Promise.withResolvers<Post>();
  await page.route(`**/tasks/${taskId}`, async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    const headers = await request.allHeaders();
    kept.resolve({ url: request.url(), headers, body: request.postDataBuffer()?.toString("latin1") ?? "" });
    await route.abort();
  });
  await page.getByRole("button", { name: "Release", exact: true }).click();
  const post = await kept.promise;
  await page.unroute(`**/tasks/${taskId}`);
  return post;
}

/** Sends a post as whoever holds the bytes could; resolves to the status. */
function send({ url, headers, body }: Post, changed: Readonly<Record<string, string | undefined>> = {}) {
  const plain = Object.entries({ ...headers, ...changed }).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith(":") && !["content-length", "host"].includes(entry[0]),
  );
  return new Promise<number>((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers: Object.fromEntries(plain) }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
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
  const post = await pressed(page, sent.id);
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
  await page.getByRole("button", { name: "Recall" }).click();
  await expect(page.getByRole("button", { name: "Release", exact: true })).toBeVisible();
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
});
