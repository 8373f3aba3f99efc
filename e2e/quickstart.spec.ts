import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ServiceReview } from "../agent/client/index.ts";
import { makeSandbox, type Sandbox } from "#lib/demo/sandbox";
import { groups } from "#lib/developers/pages";
import { schemas } from "#lib/developers/schemas";
import { quickstartBlocks, runInShell, saveQuickstart } from "#test/support/quickstart";
import { expectAccessible } from "./fixtures/accessible.ts";
import { expect, test } from "./fixtures/stack.ts";

let folder: string;
let sandbox: Sandbox;

test.beforeAll(async ({ stack }) => {
  process.env.SANDBOX_PAYERS = stack.simulatorUrl;
  sandbox = await makeSandbox(stack.operator, { simulatorUrl: stack.simulatorUrl, credential: "any" });
  folder = mkdtempSync(join(tmpdir(), "quickstart-"));
  saveQuickstart(folder);
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each block of the quickstart runs as printed and prints what the guide says", async ({ stack }) => {
  let printed: string | undefined;
  const ran: string[] = [];
  for (const { language, text } of quickstartBlocks) {
    if (language === "bash") {
      printed = await run(text, { PA_URL: stack.baseUrl, PA_KEY: sandbox.channelKey });
      ran.push(text);
    } else if (language === "text") {
      expect(printed, ran.at(-1)).toMatch(patternOf(text));
    }
  }
  expect(ran).toHaveLength(4);
});

test("the client in TypeScript comes from intake to determination, amends and voids", async ({ stack }) => {
  const client = new Client({ url: stack.baseUrl, key: sandbox.channelKey });
  // Safe because the guide's review is one.
  const review = JSON.parse(readFileSync(join(folder, "review.json"), "utf8")) as ServiceReview;
  const serviceReview = { ...review, subscriber: { ...review.subscriber, memberId: "CLIENT-TS" } };
  const seen: string[] = [];
  const first = await client.send({ practiceId: sandbox.practiceId, serviceReview, note: "By a test." });
  const decided = await client.wait(first, { onChange: ({ state }) => seen.push(state) });
  expect(decided).toMatchObject({ state: "determined", determination: { outcome: "approved", environment: "test" } });
  expect(decided.gate?.releasedBy).toBe("auto-reviewer");
  expect(seen.at(-1)).toBe("determined");
  const procedures = [...serviceReview.procedures, { code: "97110", quantity: 4, quantityTypeCode: "UN" }];
  const amended = await client.wait(await client.amend(decided, { serviceReview: { ...serviceReview, procedures } }));
  expect(amended).toMatchObject({ state: "determined", determination: { revision: 2 } });
  expect((await client.wait(await client.void(amended, "The procedure was cancelled."))).state).toBe("voided");
  const refused = client.send({ practiceId: "elsewhere", serviceReview });
  await expect(refused).rejects.toMatchObject({ name: "CallError", code: -32_003 });
});

test("the client in Python does the same", async ({ stack }) => {
  copyFileSync("agent/client/prior_authorization.py", join(folder, "prior_authorization.py"));
  writeFileSync(join(folder, "circle.py"), circle);
  const given = { PA_URL: stack.baseUrl, PA_KEY: sandbox.channelKey };
  expect(await run("python3 circle.py", given)).toBe("determined approved\ndetermined 2\nvoided\n-32003\n");
});

const circle = `
import json, os
from prior_authorization import CallError, Client
client = Client(os.environ["PA_URL"], os.environ["PA_KEY"])
review = json.load(open("review.json"))
review["subscriber"]["memberId"] = "CLIENT-PY"
task = client.wait(client.send("sandbox", review, note="By a test."))
print(task["state"], task["determination"]["outcome"])
review["procedures"].append({"code": "97110", "quantity": 4, "quantityTypeCode": "UN"})
task = client.wait(client.amend(task, review))
print(task["state"], task["determination"]["revision"])
print(client.wait(client.void(task, "The procedure was cancelled."))["state"])
try:
    client.send("elsewhere", review)
except CallError as refused:
    print(refused.code)
`;

test("who holds a channel's key sees its denials as it was told of them, and how its payers are reached", async ({
  stack,
  page,
}) => {
  const call = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: elsewhere } };
  const headers = { authorization: `Bearer ${sandbox.channelKey}`, "content-type": "application/json" };
  const denied = await fetch(`${stack.baseUrl}/api/a2a`, { method: "POST", headers, body: JSON.stringify(call) });
  expect(await denied.json()).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32_003, message: "Not authorised" } });
  await page.goto("/developers/calls");
  await page.getByLabel("Channel key").fill("pa_wrong");
  await page.getByRole("button", { name: "Show the channel" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Not authorised" })).toBeVisible();
  // What is counted in memory is written a few seconds later, and the page keeps no key.
  await expect(async () => {
    await page.getByLabel("Channel key").fill(sandbox.channelKey);
    await page.getByRole("button", { name: "Show the channel" }).click();
    await expect(page.getByRole("table", { name: "Denied calls" }).getByText("-32003").first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  await expect(page.getByRole("table", { name: "Payers by practice" }).getByText("HLHP1")).toBeVisible();
  await expect(page.getByText(sandbox.channelKey)).toHaveCount(0);
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
  const open = ["/developers", "/llms.txt", ...Object.keys(schemas).map((name) => `/developers/schemas/${name}.json`)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await request.get(path);
    expect(answer.status(), path).toBe(200);
    const text = await answer.text();
    const links = [...text.matchAll(/href="([^"#]+)|\]\(([^)#\s]+)/g)].map(
      ([, html, markdown]) => html ?? markdown ?? "",
    );
    for (const link of links) {
      const { origin, pathname }: URL = new URL(link, `${baseURL}${path}`);
      if (origin === baseURL && !pathname.startsWith("/_next/")) open.push(pathname);
    }
  }
  const pages = groups.flatMap((group) => group.pages.map(({ slug }) => slug));
  for (const slug of pages) {
    expect(seen).toContain(`/developers/${slug}`);
    expect(seen).toContain(`/developers/${slug}.md`);
  }
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

for (const colorScheme of ["light", "dark"] as const)
  test(`the pages for developers have no WCAG 2.2 AA violation and fit 320 pixels in ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of ["/developers", "/developers/quickstart", "/developers/service-review"]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(path);
      await expectAccessible(page, path);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
    }
  });

/** What is printed, where `…` stands for what differs from run to run. */
function patternOf(text: string): RegExp {
  const literal = text.split("…").map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}

function run(command: string, given: Readonly<Record<string, string>>): Promise<string> {
  return runInShell(command, { folder, given });
}
