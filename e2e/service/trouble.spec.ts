import { expectAccessibleEverywhere } from "../fixtures/accessible.ts";
import { expect, fullIntake, signIn, test } from "../fixtures/journey.ts";

type Line = { readonly msg?: string; readonly reference?: string; readonly err?: { readonly message?: string } };

test("a page that fails shows a reference, and the log says why under it, in JSON and without the patient", async ({
  page,
  practice,
  stack,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice));
  await stack.sql("UPDATE revision SET service_review = '\\xff' WHERE task_id = $1", [id]);
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  await expect(page.getByRole("heading", { name: "Something went wrong on our side" })).toBeVisible();
  await expectAccessibleEverywhere(page, "error-500");
  const reference = await page.locator("code").innerText();
  const lines = () => stack.tailOf("server").trim().split("\n");
  // Next says on a line of its own how long it took to start.
  const logged = () => lines().flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
  await expect.poll(() => logged().filter((line) => line.reference === reference)).toHaveLength(1);
  expect(logged().find((line) => line.reference === reference)).toMatchObject({
    msg: "a page failed",
    method: "GET",
    route: "/tasks/[id]",
    err: { message: "A sealed value has an unknown version." },
  });
  // Once, and nowhere in words that Next prints beside it.
  expect(lines().filter((line) => line.includes("A sealed value"))).toHaveLength(1);
  expect(lines().join("\n")).not.toContain("Okafor");
});

test("what a form that cannot be read, or one of an earlier build, is answered with holds on every screen", async ({
  page,
}) => {
  const expected = {
    "form-unread": ["$ACTION_ID_x", 400, "That form could not be read"],
    "form-out-of-date": [`$ACTION_ID_40${"0".repeat(40)}`, 409, "That page is out of date"],
  } as const;
  for (const [what, [action, status, title]] of Object.entries(expected)) {
    await page.goto("/sign-in");
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.evaluate((name) => {
      const form = Object.assign(document.createElement("form"), { method: "post", enctype: "multipart/form-data" });
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name }));
      document.body.append(form);
      form.submit();
    }, action);
    expect((await answered).status()).toBe(status);
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await expectAccessibleEverywhere(page, what);
  }
});

test("a form too large to be kept, and a page whose frame fails in the browser, say so accessibly on every screen", async ({
  page,
}) => {
  await page.goto("/sign-in");
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.evaluate(() => {
    const form = Object.assign(document.createElement("form"), { method: "post", enctype: "multipart/form-data" });
    const value = "x".repeat(9_500_000);
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "text", value }));
    document.body.append(form);
    form.submit();
  });
  expect((await answered).status()).toBe(413);
  await expect(page.getByRole("heading", { name: "That form was too large" })).toBeVisible();
  await expectAccessibleEverywhere(page, "form-too-large");

  // What the root layout itself draws has no other page around it that could catch its failure.
  await page.addInitScript(() => {
    Intl.DateTimeFormat.prototype.resolvedOptions = () => {
      throw new Error("This browser knows no time zone.");
    };
  });
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
  await expectAccessibleEverywhere(page, "global-error");
});
