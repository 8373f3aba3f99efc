import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setRoute } from "#lib/practice/set-route";
import { done } from "#test/support/people/admin";
import { aPdf } from "#test/support/agents/files";
import { inDays } from "#test/support/agents/reviews";
import { payerId } from "../fixtures/practice.ts";
import {
  caseLink,
  documentDigestOf,
  endWaits,
  expect,
  fullIntake,
  ledgerOf,
  openCase,
  openTab,
  type Practice,
  release,
  releaseButton,
  signIn,
  standing,
  test,
  type WireTask,
} from "../fixtures/journey.ts";
import type { Stack } from "../fixtures/stack.ts";

type Circle = { readonly page: Page; readonly stack: Stack; readonly practice: Practice };

/** A member of this test alone, whose scenario at the simulator is the ending. */
const aMember = (ending = "") => `HM-${randomBytes(4).toString("hex")}${ending}`;

/** Releases what the case's page shows, and waits for the payer's answer without the time the case would wait on its way. */
async function leaves({ page, stack, practice }: Circle, taskId: string, state = "determined"): Promise<WireTask> {
  await page.reload();
  await release(page);
  let task = await practice.agent.get(taskId);
  const look = async () => {
    await endWaits(stack, taskId);
    task = await practice.agent.get(taskId);
    return task.state;
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(state);
  await page.reload();
  return task;
}

/** What the payer received about a member, without inquiries. */
async function received(stack: Stack, memberId: string) {
  return (await ledgerOf(stack)).filter((entry) => entry.memberId === memberId && entry.kind !== "inquiry");
}

/** What a gate froze, as the payer's ledger has to have it once. */
const once = (kind: "request" | "update", task: WireTask) => ({ kind, sha256: documentDigestOf(task), times: 1 });

test("a request that the payer rejected says so in its bar, and quotes the payer's answer as an answer, not as its words", async ({
  page,
  stack,
  practice,
}) => {
  const { id } = await practice.agent.send(fullIntake(practice, { memberId: aMember("-AAA-C") }));
  await signIn(page, practice.reviewer);
  await page.goto(`/tasks/${id}`);
  await leaves({ page, stack, practice }, id, "needs-information");
  await expect(standing(page)).toContainText("The payer rejected it without a decision.");
  await expect(page.getByText("From the payer's answer")).toBeVisible();
});

test("a request whose review is delegated goes to the other payer, which the case explains, and to nobody else", async ({
  page,
  stack,
  practice,
}) => {
  const { operator, simulatorUrl } = stack;
  const reviewer = { practiceId: practice.id, payerId: "IMG-REVIEW", payerName: "Imaging Review" } as const;
  const wire = { connector: "pas-fhir", url: `${simulatorUrl}/fhir-2.0.1`, settings: { version: "2.0.1" } } as const;
  await done(setRoute(operator, { ...reviewer, ...wire, credential: "simulator-token", environment: "test" }));
  await done(setPayer(operator, { practiceId: practice.id, payerId, name: "Harbor Mutual" }));
  const imaging = { name: "Imaging", serviceTypes: ["62"], codes: [], linesOfBusiness: [], connection: "IMG-REVIEW" };
  await done(setPayerRules(operator, { practiceId: practice.id, payerId, rules: [imaging] }));

  const [delegated, own] = [aMember(), aMember()];
  const sent = await practice.agent.send(fullIntake(practice, { memberId: delegated }));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await expect(releaseButton(page)).toContainText("Release to Imaging Review");
  const why = await openTab(page, "Details", "Connection");
  await expect(why).toContainText("Imaging Review (IMG-REVIEW)");
  await expect(why).toContainText("Reviews for");
  await expect(why).toContainText("Imaging");
  await page.goto(`/tasks/${sent.id}/print`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("to Imaging Review");
  await expect(page.getByText("Reviewed for Harbor Mutual")).toBeVisible();
  await openCase(page, sent.id);
  expect(await leaves({ page, stack, practice }, sent.id)).toMatchObject({ determination: { outcome: "approved" } });

  const { serviceReview, ...intake } = fullIntake(practice, { memberId: own, code: "97110" });
  const other = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, serviceTypeCode: "PT" } });
  await openCase(page, other.id);
  await leaves({ page, stack, practice }, other.id);
  expect(await received(stack, delegated)).toMatchObject([
    { ...once("request", sent), path: expect.stringContaining("/fhir-2.0.1/") },
  ]);
  expect(await received(stack, own)).toMatchObject([
    { ...once("request", other), path: expect.stringContaining("/fhir/") },
  ]);
});

test("a request that the payer decided is changed over its connection, and what it authorizes then is the last change", async ({
  page,
  stack,
  practice,
}) => {
  const memberId = aMember("-MOD");
  const { serviceReview, ...intake } = fullIntake(practice, { memberId, code: "97110" });
  const visits = (quantity: number) => ({
    ...intake,
    serviceReview: { ...serviceReview, procedures: [{ code: "97110", quantity, quantityTypeCode: "VS" }] },
  });
  const first = await practice.agent.send(visits(8));
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  const decided = await leaves({ page, stack, practice }, first.id);
  expect(decided).toMatchObject({ determination: { outcome: "modified" } });
  const approval = page.getByRole("region", { name: "Approval" });
  await expect(approval).toContainText("4 of 8 visits authorized");
  await expect(approval.locator("mark")).toContainText(["4 visits"]);

  const changed = await practice.agent.send(visits(12), { taskId: first.id });
  expect(changed).toMatchObject({ state: "transmit-held", revision: { number: 2 } });
  expect(await received(stack, memberId)).toMatchObject([once("request", first)]);
  const answered = await leaves({ page, stack, practice }, first.id);
  expect(answered).toMatchObject({ determination: { outcome: "modified", revision: 2 } });
  await expect(approval).toContainText("6 of 12 visits authorized");
  const history = (await openTab(page, "Payer")).getByRole("table", { name: "How the authorization changed" });
  await expect(history.getByRole("row")).toContainText(["Decided", "+2 visits", "4 of 8 visits authorized"]);
  expect(await received(stack, memberId)).toMatchObject([once("request", first), once("update", changed)]);
});

test("an approval that is nearly used up is renewed by a request of its own, linked to it", async ({
  page,
  stack,
  practice,
}) => {
  const memberId = aMember();
  const { serviceReview, ...intake } = fullIntake(practice, { memberId, code: "97110" });
  const procedures = [{ code: "97110", quantity: 10, quantityTypeCode: "VS" }];
  const first = await practice.agent.send({ ...intake, serviceReview: { ...serviceReview, procedures } });
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  const approved = await leaves({ page, stack, practice }, first.id);
  const number = approved.determination?.authorizationNumber ?? "";
  const payer = await openTab(page, "Payer");
  await payer.getByLabel("Used of 10 visits").fill("9");
  await payer.getByRole("button", { name: "Record units used" }).click();
  await expect(payer.getByText("9 of 10 visits used")).toBeVisible();
  await page.goto("/queue?view=ending");
  await expect(caseLink(page, first.id)).toBeVisible();

  const renewal = await practice.agent.send(
    {
      ...intake,
      serviceReview: {
        ...{ ...serviceReview, procedures, certificationTypeCode: "R" },
        ...{ fromDate: inDays(131), toDate: inDays(200) },
      },
    },
    { earlierTaskId: first.id },
  );
  expect(renewal.id).not.toBe(first.id);
  await page.reload();
  await expect(caseLink(page, first.id)).toHaveCount(0);
  await openCase(page, renewal.id);
  await expect(page.getByText(number).first()).toBeVisible();
  expect(await leaves({ page, stack, practice }, renewal.id)).toMatchObject({ determination: { outcome: "approved" } });
  expect(await received(stack, memberId)).toMatchObject([once("request", first), once("request", renewal)]);
});

test("an admission is extended three times, and each determination adds days to those before", async ({
  page,
  stack,
  practice,
}) => {
  const memberId = aMember("-STAY");
  const { serviceReview, ...intake } = fullIntake(practice, { memberId, code: "99223" });
  const stay = (days: number) => ({
    ...intake,
    serviceReview: {
      ...serviceReview,
      ...{ requestTypeCode: "AR", serviceTypeCode: "48", placeOfServiceCode: "21", admissionTypeCode: "2" },
      ...{ fromDate: inDays(50), toDate: inDays(50 + days) },
      procedures: [{ code: "99223", quantity: days, quantityTypeCode: "DY" }],
    },
  });
  const first = await practice.agent.send(stay(6));
  await signIn(page, practice.reviewer);
  await openCase(page, first.id);
  await leaves({ page, stack, practice }, first.id);
  const approval = page.getByRole("region", { name: "Approval" });
  await expect(approval).toContainText("2 of 6 days authorized");
  const updates: WireTask[] = [];
  for (const [day, requested, authorized] of [
    [2, 6, "4 of 6 days authorized"],
    [4, 6, undefined],
    [6, 8, undefined],
  ] as const) {
    const file = { bytes: aPdf(`Day ${day}`), name: `day-${day}.pdf` };
    updates.push(await practice.agent.send(stay(requested), { taskId: first.id, files: [file] }));
    const answered = await leaves({ page, stack, practice }, first.id);
    expect(answered.determination).toMatchObject({ revision: updates.length + 1 });
    if (authorized !== undefined) await expect(approval).toContainText(authorized);
  }
  await expect(approval).toContainText("8 days");
  const history = (await openTab(page, "Payer")).getByRole("table", { name: "How the authorization changed" });
  await expect(history.getByRole("row")).toContainText([
    "Decided",
    /\+2 days.*8 of 8 days authorized/,
    /\+2 days.*6 of 6 days authorized/,
    /\+2 days.*4 of 6 days authorized/,
    /\+2 days.*2 of 6 days authorized/,
  ]);
  const ours = [once("request", first), ...updates.map((update) => once("update", update))];
  expect(await received(stack, memberId)).toMatchObject(ours);
});
