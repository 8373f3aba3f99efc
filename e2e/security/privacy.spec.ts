import type { Page } from "@playwright/test";
import { expect, fullIntake, signInByForm, standing, test, signOut, decline } from "../fixtures/journey.ts";

/** What no address, title, link, cookie or storage may hold; the pages themselves do. */
const canaries = ["Quillfeather", "Zebulon", "CANARY88117", "1983-05-06", "Brinkmannsdorf"];

const pagesMax = 60;

test("no address, title, link, cookie or storage of any page a reviewer reaches holds anything of a patient", async ({
  page,
  practice,
}) => {
  const intake = withCanaries(fullIntake(practice));
  const [held, declined] = [
    await practice.agent.send(intake, { note: "Zebulon Quillfeather of Brinkmannsdorf asks for an early day." }),
    await practice.agent.send(intake),
  ];
  await signInByForm(page, practice.reviewer);
  await page.goto(`/tasks/${declined.id}`);
  await decline(page, "Zebulon Quillfeather moved to Brinkmannsdorf.");
  await expect(standing(page)).toContainText("Declined");

  const seen = await crawl(page, ["/queue", `/tasks/${held.id}`, `/tasks/${declined.id}`]);
  expect(seen.shown, "the crawl saw the patient on some page").toBe(true);
  expect(seen.addresses.length).toBeGreaterThan(5);
  const exposed = JSON.stringify([seen.addresses, seen.titles, seen.kept]).toLowerCase();
  expect(canaries.filter((canary) => exposed.includes(canary.toLowerCase()))).toEqual([]);
});

test("once signed out, going back shows nothing of a patient", async ({ page, practice }) => {
  const sent = await practice.agent.send(withCanaries(fullIntake(practice)));
  await signInByForm(page, practice.reviewer);
  await page.goto(`/tasks/${sent.id}`);
  await expect(page.getByText("Quillfeather").first()).toBeVisible();
  await signOut(page);
  await page.waitForURL("**/sign-in");
  await page.goBack();
  await expect(
    page.getByRole("button", { name: "Sign in" }).or(page.getByText("Your session has ended")),
  ).toBeVisible();
  await expect(page.getByText("Quillfeather").first()).toBeHidden();
});

type Intake = ReturnType<typeof fullIntake>;

function withCanaries(intake: Intake): Intake {
  const { subscriber, patient, ...rest } = intake.serviceReview;
  const name = { lastName: "Quillfeather", firstName: "Zebulon" };
  return {
    ...intake,
    serviceReview: {
      ...rest,
      subscriber: { ...subscriber, ...name, memberId: "CANARY88117" },
      patient: { ...patient, ...name, birthDate: "1983-05-06" },
    },
  };
}

/** Every page of ours that links lead to from these. */
async function crawl(page: Page, from: readonly string[]) {
  const queue = [...from];
  const addresses: string[] = [];
  const titles: string[] = [];
  const kept: string[] = [];
  let shown = false;
  for (let path = queue.shift(); path !== undefined && addresses.length < pagesMax; path = queue.shift()) {
    if (addresses.includes(path)) continue;
    addresses.push(path);
    const response = await page.goto(path).catch(() => undefined);
    // What is downloaded, such as a list, is no page.
    if (response?.headers()["content-type"]?.startsWith("text/html") !== true) continue;
    addresses.push(page.url());
    titles.push(await page.title());
    kept.push(
      await page.evaluate(() =>
        JSON.stringify([document.cookie, Object.entries(localStorage), Object.entries(sessionStorage)]),
      ),
    );
    shown ||= (await page.content()).includes("Quillfeather");
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    queue.push(...links.filter((href) => href.startsWith("/") && !queue.includes(href)));
  }
  kept.push(JSON.stringify(await page.context().cookies()));
  return { addresses: [...addresses, ...queue], titles, kept, shown };
}
