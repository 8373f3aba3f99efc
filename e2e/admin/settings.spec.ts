import { expectAccessible } from "../fixtures/accessible.ts";
import { aPerson, expect, fullIntake, signIn, test } from "../fixtures/journey.ts";

test("an admin names identifiers, sets and tests a route with required fields, imports routes, and sees every version", async ({
  page,
  practice,
  stack,
}) => {
  await signIn(page, await aPerson(stack, { roles: ["admin"], practices: [], name: "Noor Haddad" }));
  const home = `/practices/${practice.id}`;
  await page.goto(home);
  await page.getByLabel("Organization NPI").fill("1234567890");
  await page.getByRole("button", { name: "Save identity" }).click();
  await expect(
    page.getByText("Must be a 10-digit NPI with a valid check digit, or empty.", { exact: true }),
  ).toBeVisible();
  await page.getByLabel("Organization NPI").fill("1234567893");
  await page.getByRole("button", { name: "Save identity" }).click();
  await expect(page.getByRole("status")).toContainText("Saved");

  // What it requires, the agent is asked for before anything waits at a gate.
  await page.getByRole("link", { name: "Payer connections" }).click();
  await page.getByRole("link", { name: "Add payer connection" }).click();
  await page.getByLabel("Payer ID", { exact: true }).fill("SIM-9");
  await page.getByLabel("Payer name").fill("Simulated Health");
  await page.getByLabel("Connection type", { exact: true }).selectOption("pas-fhir");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Address", { exact: true }).fill(`${stack.simulatorUrl}/fhir`);
  await page.getByLabel("Credential", { exact: true }).fill("nobody-sees-this");
  await page.getByText("Fields the payer requires").click();
  await page.getByRole("checkbox", { name: "Requesting provider's fax" }).check();
  // What is wrong with a setting stands at its field.
  await page.getByLabel("Authentication method").selectOption("smart");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Is required for SMART Backend Services.", { exact: true })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "Check this field: Client ID" })).toBeVisible();
  expect(await page.content()).not.toContain("nobody-sees-this");
  await expectAccessible(page, "address and credential");
  await page.getByLabel("Authentication method").selectOption("");
  await page.getByLabel("Credential", { exact: true }).fill("nobody-sees-this");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("It uses FHIR R4 and accepts Claim/$submit.")).toBeVisible();
  await expectAccessible(page, "a test that passed");
  await page.getByRole("link", { name: "Continue" }).click();
  await expectAccessible(page, "about to be activated");
  await page.getByRole("button", { name: "Activate connection" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Simulated Health");
  await expect(page.getByText("Stored encrypted")).toBeVisible();
  const intake = fullIntake(practice);
  const serviceReview = { ...intake.serviceReview, payer: { id: "SIM-9" } };
  expect(await practice.agent.send({ ...intake, serviceReview })).toMatchObject({
    state: "needs-information",
    missing: ["/requestingProvider/fax"],
  });

  await page.getByRole("button", { name: "Test connection" }).click();
  await expect(page.getByText("It uses FHIR R4 and accepts Claim/$submit.")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `route in ${colorScheme}`);
  }
  await page.goto(home);
  await expectAccessible(page, "practice in dark");

  // The same route by a file: shown first, and then done exactly so.
  await page.goto("/import");
  await page.getByLabel("File type").selectOption("routes");
  const head = "practice,payer,payer_name,required_fields";
  await page
    .getByLabel("Or paste the file's text")
    .fill(`${head}\n${practice.id},SIM-9,Simulated Plan,\nnobody,P1,,\n`);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("practice isn't a practice you administer")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Import \d/ })).toHaveCount(0);
  await expectAccessible(page, "import");
  await page.getByLabel("Or paste the file's text").fill(`${head}\n${practice.id},SIM-9,Simulated Plan,\n`);
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByText("0 new, 1 changed, 0 unchanged, 0 refused.")).toBeVisible();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await expect(page.getByRole("status")).toContainText("1 row was written");

  await page.goto(`${home}/route?payer=SIM-9`);
  const change = page.getByRole("table", { name: "What version 2 changed" });
  await expect(change.getByRole("row").filter({ hasText: "Payer name" })).toContainText("Simulated Plan");
  await expect(change.getByRole("row").filter({ hasText: "Field the payer requires" })).toContainText("fax");
  await expect(change.getByRole("row").filter({ hasText: "Credential" })).toHaveCount(0);
  await page.goto(home);
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Organization NPI" })).toContainText("1234567893");
  await expectAccessible(page, "versions");
});
