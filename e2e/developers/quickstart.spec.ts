import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { makeSandbox, type Sandbox } from "#lib/demo/sandbox";
import { groups } from "#lib/developers/pages";
import { schemas } from "#lib/developers/schemas";
import { done } from "#test/support/people/admin";
import {
  blocksOf,
  guides,
  layOut,
  layOutQuickstart,
  patternOf,
  runInShell,
  type Step,
} from "#test/support/docs/guides";
import { expectAccessible, expectAccessibleInBoth } from "../fixtures/accessible.ts";
import { expect, test } from "../fixtures/stack.ts";

const slugs = groups.flatMap((group) => group.pages.map(({ slug }) => slug));
let sandbox: Sandbox;

test.beforeAll(async ({ stack }) => {
  process.env.SANDBOX_PAYERS = stack.simulatorUrl;
  sandbox = await makeSandbox(stack.operator, { simulatorUrl: stack.simulatorUrl, credential: "any" });
});

type Reader = { readonly baseUrl: string; readonly more?: Readonly<Record<string, string>> };

/** Runs a step as a reader would, and holds what it prints against what the guide says. */
async function runStep({ command, prints }: Step, folder: string, { baseUrl, more }: Reader): Promise<void> {
  const given = { PA_URL: baseUrl, PA_KEY: sandbox.channelKey, ...more };
  const printed = await runInShell(command, { folder, given });
  if (prints !== undefined) expect.soft(printed, command).toMatch(patternOf(prints));
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "guide-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("each block of the quickstart runs as printed and prints what the guide says", async ({ stack }) => {
  await inFolder(async (folder) => {
    const steps = layOutQuickstart(folder);
    expect(steps.filter(({ prints }) => prints !== undefined)).toHaveLength(4);
    for (const step of steps) await runStep(step, folder, stack);
  });
});

const [theFiles] = layOut(
  blocksOf("testing").filter(({ language }) => language === "bash"),
  tmpdir(),
);

for (const slug of guides) {
  if (slug === "quickstart" || !blocksOf(slug).some(({ language }) => /^(?:bash|python|js)$/.test(language))) continue;
  test(`each block of the guide ${slug} runs as printed and prints what the guide says`, async ({ stack }) => {
    test.setTimeout(120_000);
    await inFolder(async (folder) => {
      if (!theFiles) throw new Error("The guide on testing says which files the examples need.");
      await runStep(theFiles, folder, stack);
      let more = {};
      for (const step of layOut(blocksOf(slug), folder)) {
        if (step.command.includes("token.mjs")) more = { PA_CLIENT_ID: await clientOf(stack.operator, folder) };
        await runStep(step, folder, { ...stack, more });
      }
    });
  });
}

/** What an administrator does with the public keys that a reader made. */
async function clientOf(operator: Parameters<typeof setChannelClient>[0], folder: string): Promise<string> {
  const jwks = await readFile(join(folder, "jwks.json"), "utf8");
  return (await done(setChannelClient(operator, { channelId: sandbox.channelId, jwks }))).clientId;
}

test("who holds a channel's key sees its calls, its denials as it was told of them, and how its payers are reached", async ({
  stack,
  page,
}) => {
  const call = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: elsewhere } };
  const headers = { authorization: `Bearer ${sandbox.channelKey}`, "content-type": "application/json" };
  const denied = await fetch(`${stack.baseUrl}/api/a2a`, { method: "POST", headers, body: JSON.stringify(call) });
  expect(await denied.json()).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32_003, message: "Not authorised" } });
  const unknown = { ...call, method: "tasks/get", params: { id: randomUUID() } };
  const answer = await fetch(`${stack.baseUrl}/api/a2a`, { method: "POST", headers, body: JSON.stringify(unknown) });
  const requestId = answer.headers.get("x-request-id") ?? "";
  const { error } = (await answer.json()) as { readonly error: { readonly data: { readonly help: string } } };
  expect(error).toMatchObject({ code: -32_001, data: { requestId } });
  await page.goto(error.data.help);
  const named = page.locator(":target");
  await expect(named).toHaveText("Error -32001: Task not found");
  await expect(named).toBeInViewport();
  await page.goto("/developers/calls");
  await page.getByLabel("API key").fill("pa_wrong");
  await page.getByRole("button", { name: "Show the channel" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Not authorised" })).toBeVisible();
  const latest = page.getByRole("table", { name: "Latest calls" });
  // What is counted in memory is written a few seconds later, and the page keeps no key.
  await expect(async () => {
    await page.getByLabel("API key").fill(sandbox.channelKey);
    await page.getByRole("button", { name: "Show the channel" }).click();
    await expect(page.getByRole("table", { name: "Denied calls" }).getByText("-32003").first()).toBeVisible({
      timeout: 2_000,
    });
    await expect(latest.getByText(requestId)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(latest.getByRole("row").filter({ hasText: requestId })).toContainText("-32001");
  await expectAccessible(page, "/developers/calls");
  await expect(page.getByRole("table", { name: "Payers by practice" }).getByText("HLHP1")).toBeVisible();
  await expect(page.getByText(sandbox.channelKey)).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("whoever holds a channel's key sees its channel", async ({ page }) => {
    await page.goto("/developers/calls");
    await page.getByLabel("API key").fill("pa_wrong");
    await page.getByRole("button", { name: "Show the channel" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Not authorised" })).toBeVisible();
    await page.getByLabel("API key").fill(sandbox.channelKey);
    await page.getByRole("button", { name: "Show the channel" }).click();
    await expect(page.getByRole("table", { name: "Payers by practice" }).getByText("HLHP1")).toBeVisible();
  });
});

const elsewhere = {
  role: "user",
  parts: [
    {
      kind: "data",
      data: {
        skill: "prior_auth_intake",
        practiceId: "elsewhere",
        serviceReview: { payer: { id: "HLHP1" }, procedures: [{ code: "72148" }] },
      },
    },
  ],
};

test("every page for developers answers as a page and as Markdown, and every link in it leads somewhere", async ({
  request,
  baseURL,
}) => {
  if (baseURL === undefined) throw new Error("The stack has an address.");
  const seen = new Set<string>();
  const ids = new Map<string, Set<string | undefined>>();
  const fragments: { readonly from: string; readonly to: string; readonly id: string }[] = [];
  const open = ["/developers", "/llms.txt", ...Object.keys(schemas).map((name) => `/developers/schemas/${name}.json`)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    const isText = /^(?:text\/|application\/json)/.test(answer.headers()["content-type"] ?? "");
    const text = isText ? await answer.text() : "";
    ids.set(path, new Set([...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)));
    const links = [...text.matchAll(/href="([^"]+)|\]\(([^)\s]+)/g)].map(
      ([, html, markdown]) => html ?? markdown ?? "",
    );
    for (const link of links) {
      const { origin, pathname, hash }: URL = new URL(link, `${baseURL}${path}`);
      if (origin !== baseURL || pathname.startsWith("/_next/")) continue;
      open.push(pathname);
      if (hash !== "" && slugs.some((slug) => pathname === `/developers/${slug}`))
        fragments.push({ from: path, to: pathname, id: hash.slice(1) });
    }
  }
  for (const slug of slugs) {
    expect(seen).toContain(`/developers/${slug}`);
    expect(seen).toContain(`/developers/${slug}.md`);
  }
  expect(fragments.length).toBeGreaterThan(60);
  expect(fragments.filter(({ to, id }) => !ids.get(to)?.has(id))).toEqual([]);
  // Safe because OpenRPC says so.
  const { methods } = (await (await request.get("/developers/openrpc.json")).json()) as {
    readonly methods: readonly { readonly params: readonly { readonly schema: { readonly $ref: string } }[] }[];
  };
  for (const { schema } of methods.flatMap(({ params }) => params)) {
    const [address = "", pointer = ""] = schema.$ref.split("#");
    const named: unknown = await (await request.get(address)).json();
    const found = pointer
      .slice(1)
      .split("/")
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], named);
    expect(found, schema.$ref).toEqual(expect.any(Object));
  }
});

test("a page lists its headings, leads on to the next page, and is found by its words without script", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/developers/release");
  const outline = page.getByRole("navigation", { name: "On this page", exact: true });
  await expect(outline.getByRole("link").first()).toHaveAttribute("href", "#from-your-message-to-the-payer");
  await page.getByRole("navigation", { name: "Previous and next page" }).getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payer answers");
  await page.getByRole("searchbox", { name: "Search the pages" }).fill("recall window");
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/developers\/release#from-your-message-to-the-payer$/);
  await context.close();
});

test("a block of code is copied as it stands, and there is nothing to copy of what it prints", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/developers/release");
  const blocks = blocksOf("release").filter(({ language }) => language !== "text");
  const copy = page.getByRole("main").getByRole("button", { name: "Copy" });
  await expect(copy).toHaveCount(blocks.length);
  await copy.first().click();
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(blocks[0]?.text.trimEnd());
});

test("the pages for developers have no WCAG 2.2 AA violation in light and in dark, and fit 320 pixels", async ({
  page,
}) => {
  for (const path of [
    "/developers",
    "/developers/quickstart",
    "/developers/service-review",
    "/developers/search?q=void",
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    await expectAccessibleInBoth(page, path);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
  }
});
