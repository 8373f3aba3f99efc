import {
  documentDigestOf,
  anAgent,
  expect,
  fullIntake,
  ledgerOf,
  openCase,
  release,
  signInByForm,
  standing,
  test,
  untilState,
  releaseButton,
  decline,
} from "../fixtures/journey.ts";

test("an agent sends, a person releases, the payer gets exactly that, and the agent's poll shows it", async ({
  page,
  practice,
  stack,
}) => {
  const sent = await practice.agent.send(fullIntake(practice), { note: "Six weeks of physiotherapy without relief." });
  expect(sent).toMatchObject({
    state: "transmit-held",
    status: { state: "working" },
    gate: { action: "transmit", status: "open" },
  });

  await signInByForm(page, practice.reviewer);
  await openCase(page, sent.id);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Adaeze Okafor");
  await expect(releaseButton(page)).toHaveText(/^Release to Harbor Mutual ?TEST/);
  await expect(page.getByText("Six weeks of physiotherapy without relief.")).toBeVisible();
  await expect(page.getByText(documentDigestOf(sent)).first()).toBeAttached();
  await release(page);
  await expect(standing(page)).toContainText(/released/i);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();

  const decided = await untilState(practice.agent, sent.id, "determined", { hurry: stack });
  expect(decided).toMatchObject({
    status: { state: "completed" },
    determination: { outcome: "approved" },
    gate: { status: "released" },
  });
  const entries = (await ledgerOf(stack)).filter(({ sha256 }) => sha256 === sent.gate?.documentDigests[0]);
  expect(entries).toHaveLength(1);
  expect(entries[0]?.times).toBe(1);
  await page.reload();
  await expect(page.getByText(decided.determination?.authorizationNumber ?? "none").first()).toBeVisible();
});

test("plain `next start` does the main job under the same strict policy, and believes no stranger's headers", async ({
  browser,
  practice,
  stack,
}) => {
  const plain = await stack.plainNext();
  const forged = { "x-front": "1", "x-arrival": "guessed", "content-security-policy": "script-src 'nonce-guessed'" };
  const context = await browser.newContext({ baseURL: plain.baseUrl });
  try {
    const policies = await Promise.all(
      [plain, stack].map(async ({ baseUrl }) => {
        const { status, headers } = await fetch(`${baseUrl}/sign-in`, { headers: forged });
        expect(status).toBe(200);
        return headers.get("content-security-policy")?.replace(/nonce-[^']+/g, "nonce");
      }),
    );
    expect(policies[0]).toContain("script-src 'self' 'nonce' 'strict-dynamic'");
    expect(policies[0]).toBe(policies[1]);
    const agent = await anAgent({ ...stack, baseUrl: plain.baseUrl }, practice.channel.key);
    const sent = await agent.send(fullIntake(practice));

    const page = await context.newPage();
    const violations: string[] = [];
    await page.exposeFunction("violated", (what: string) => violations.push(what));
    await page.addInitScript(() =>
      // Safe because the function above is exposed under this name.
      addEventListener("securitypolicyviolation", (event) =>
        (globalThis as unknown as { violated: (what: string) => void }).violated(event.violatedDirective),
      ),
    );
    await signInByForm(page, practice.reviewer);
    await openCase(page, sent.id);
    await release(page);
    await expect(standing(page)).toContainText(/released/i);
    await untilState(agent, sent.id, "determined", { hurry: stack });
    expect(violations).toEqual([]);
    const foreign = { method: "POST", headers: { origin: "https://elsewhere.example" }, body: "a=b" };
    expect((await fetch(`${plain.baseUrl}/queue`, foreign)).status).toBe(403);
  } finally {
    await context.close();
    await plain.stop();
  }
});

test("everything a reviewer does works without JavaScript", async ({ browser, practice, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  const sent = await practice.agent.send(fullIntake(practice));
  await signInByForm(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  await expect(standing(page)).toContainText(/released/i);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(releaseButton(page)).toBeVisible();
  await decline(page, "Not indicated.");
  await expect(standing(page)).toContainText(/declined/i);
  const declined = await practice.agent.get(sent.id);
  expect(declined).toMatchObject({
    state: "declined",
    status: { state: "rejected" },
    gate: { reason: "Not indicated." },
  });
  await context.close();
});
