import { expectAccessibleEverywhere } from "./fixtures/accessible.ts";
import { expect, fullIntake, signIn, test } from "./fixtures/journey.ts";

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
