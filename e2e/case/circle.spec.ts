import { createHash, randomBytes } from "node:crypto";
import type { Page, TestInfo } from "@playwright/test";
import { setRoute, type SetRoute } from "#lib/practice/set-route";
import { done } from "#test/support/people/admin";
import { aPdf, aPng } from "#test/support/agents/files";
import {
  aPractice,
  aVoid,
  documentDigestOf,
  endWaits,
  expect,
  fullIntake,
  type LedgerEntry,
  ledgerOf,
  openCase,
  type Practice,
  release,
  reportSent,
  type SentFile,
  signIn,
  standing,
  test,
  type WireTask,
  openTab,
  releaseButton,
} from "../fixtures/journey.ts";
import type { Stack } from "../fixtures/stack.ts";

const order = { bytes: aPdf("Order for physiotherapy"), name: "order.pdf" };
const scan = { bytes: aPng({ width: 320, height: 200 }), name: "scan.png" };
const visits = "Ten visits so far; walking distance has doubled.";

const sha256 = ({ bytes }: SentFile) => createHash("sha256").update(bytes).digest("hex");

/** What differs between the circles: how the payer is reached, and with what its wish is met. */
type Wire = {
  readonly connector: "pas-fhir" | "service-review" | "manual";
  readonly route: (stack: Stack) => Pick<SetRoute, "url" | "settings">;
  readonly files: readonly (SentFile & { readonly name: string })[];
  readonly notes?: readonly string[];
};

const pasFhir: Wire = {
  connector: "pas-fhir",
  route: ({ simulatorUrl }) => ({ url: `${simulatorUrl}/fhir` }),
  files: [scan],
};

/** This wire carries no files: the payer is answered in words, and the reviewer told that the order stays behind. */
const serviceReview: Wire = {
  connector: "service-review",
  route: ({ simulatorUrl }) => ({
    url: simulatorUrl,
    settings: {
      tokenUrl: `${simulatorUrl}/v1/token`,
      clientId: "elm",
      scope: "healthcare-hipaa-transactions plan-demo",
    },
  }),
  files: [],
  notes: [visits],
};

const manual: Wire = { connector: "manual", route: () => ({}), files: [scan] };

for (const wire of [pasFhir, serviceReview]) {
  test(`a case goes full circle by ${wire.connector}, and the payer gets each released document once`, async ({
    page,
    stack,
  }, info) => {
    test.setTimeout(180_000);
    const circle = await aCircle({ page, stack, wire, info });
    const first = await circle.open();
    const left = page.getByRole("region", { name: "Checks" }).getByText("This payer connection can't carry files");
    await expect(left).toHaveCount(wire.connector === "service-review" ? 1 : 0);
    await expectLedger(circle, []);
    await circle.release();
    const wanting = await circle.until("payer-needs-information");
    const request = messageOf("request", first);
    const filesOf = (...files: readonly SentFile[]) =>
      wire.connector === "pas-fhir" ? files.map(sha256).toSorted() : [];
    await expectLedger(circle, [{ ...request, state: "pended", actions: ["A4"], files: filesOf(order) }]);
    expect(wanting.artifacts.map(({ artifactId }) => artifactId)).toContain("information-request");

    const second = await circle.answer();
    await expectLedger(circle, [request]);
    await circle.release();
    const decided = await circle.until("determined");
    expectModified(decided);
    const update = messageOf("update", second);
    const [, updated] = await expectLedger(circle, [
      { ...request, state: "decided", actions: ["A6"] },
      { ...update, files: filesOf(order, scan) },
    ]);
    expect(updated?.authorizationNumber).toBe(decided.determination?.authorizationNumber);
    await openTab(page, "Payer");
    await expect(page.getByRole("table", { name: "The payer's answer to each service" })).toContainText(
      "97110, 3 visits",
    );
    await circle.shoot("determined");

    const third = await circle.askVoid();
    await expectLedger(circle, [request, update]);
    await circle.release();
    const theVoid = messageOf("void", third);
    await circle.until("voiding", () => expectLedger(circle, [request, update, { ...theVoid, state: "voiding" }]));
    await control(stack, "decide", { reference: updated?.reference, action: "C" });
    await circle.until("voided");
    await expectLedger(circle, [request, update, { ...theVoid, state: "voided", actions: ["C"] }]);
    await circle.end();
  });
}

test("a case goes full circle by hand, and nothing of it reaches the payer's wires", async ({ page, stack }, info) => {
  test.setTimeout(180_000);
  const circle = await aCircle({ page, stack, wire: manual, info });
  await circle.open();
  await circle.release();
  await reportSent(page, { reference: "FAX-2231" });
  await circle.until("transmitted");
  await page.getByText("Record an information request").click();
  await page.getByLabel("Requested information").fill("The image, and the visits so far.");
  await page.getByRole("button", { name: "Record information request" }).click();
  await circle.until("payer-needs-information");

  await circle.answer();
  await circle.release();
  await reportSent(page, { reference: "FAX-2231" });
  await circle.until("transmitted");
  await page.getByLabel("Outcome").selectOption("by-line");
  const line = page.getByRole("group", { name: /^Service 1:/ });
  await line.getByLabel("Answer").selectOption("A6");
  await line.getByLabel(/^Quantity/).fill("3");
  await page.getByLabel("Authorization number", { exact: true }).fill("PA-90017");
  await page.getByLabel("How you learned it").selectOption("letter");
  await page.getByRole("textbox", { name: "Evidence" }).fill("Letter of 20 November, page 1");
  await page.getByRole("button", { name: "Record determination" }).click();
  expectModified(await circle.until("determined"));
  await openTab(page, "Payer");
  await expect(page.getByRole("table", { name: "The payer's answer to each service" })).toContainText(
    "97110, 3 visits",
  );
  await circle.shoot("determined");

  await circle.askVoid();
  await circle.release();
  await reportSent(page);
  await circle.until("voided");
  await expectLedger(circle, []);
  await circle.end();
});

type Circle = Awaited<ReturnType<typeof aCircle>>;

/** One case of a practice of its own on this wire, the hands that move it, and the table of where it was when. */
async function aCircle({ page, stack, wire, info }: { page: Page; stack: Stack; wire: Wire; info: TestInfo }) {
  const practice = await aPractice(stack);
  await routeBy(stack, practice, wire);
  const { agent } = practice;
  const memberId = `HM-${randomBytes(4).toString("hex")}-DOCS-A6-VOID-LATER`;
  const started = Date.now();
  const rows: string[] = [];
  const seen = (task: WireTask): WireTask => {
    const cell = `| ${task.state} |`;
    if (rows.at(-1)?.startsWith(cell) !== true)
      rows.push(`${cell} ${new Date().toISOString()} | ${((Date.now() - started) / 1000).toFixed(1)} |`);
    return task;
  };
  const look = async (): Promise<WireTask> => seen(await agent.get(taskId));
  const shoot = (name: string) => shot(page, info, `${wire.connector}-${name}`);
  let taskId = "";

  return {
    stack,
    memberId,
    look,
    shoot,
    open: async (): Promise<WireTask> => {
      const task = seen(await agent.send(intakeOf(practice, { memberId, quantity: 8 }), { files: [order] }));
      taskId = task.id;
      await signIn(page, practice.reviewer);
      await openCase(page, taskId);
      await expect(page.getByRole("tabpanel", { name: "Documents" })).toContainText("order.pdf");
      return task;
    },
    answer: async (): Promise<WireTask> => {
      const answer = intakeOf(practice, { memberId, quantity: 6, notes: wire.notes ?? [] });
      const task = seen(await agent.send(answer, { taskId, files: wire.files, note: visits }));
      await openCase(page, taskId);
      await expectDiff(page, wire);
      await shoot("second-gate");
      return task;
    },
    askVoid: async (): Promise<WireTask> => {
      const task = seen(await agent.send(aVoid(practice), { taskId }));
      await openCase(page, taskId);
      await expect(standing(page)).toContainText("Void awaiting release");
      return task;
    },
    release: async (): Promise<void> => {
      const digests = (await look()).gate?.documentDigests ?? [];
      for (const digest of digests) await expect(page.getByText(digest).first()).toBeAttached();
      await release(page);
      await expect(standing(page)).toContainText(/released|sending|payer/i);
      await look();
    },
    /** Waits for the state, and where given until this holds in it too; then the page shows it. */
    until: async (state: string, payerReceipt?: () => Promise<unknown>): Promise<WireTask> => {
      const hurried = async () => {
        await endWaits(stack, taskId);
        return (await look()).state;
      };
      await expect.poll(hurried, { timeout: 60_000, message: `the task becomes ${state}` }).toBe(state);
      if (payerReceipt) await expect(payerReceipt).toPass({ timeout: 30_000 });
      await page.reload();
      return look();
    },
    end: async (): Promise<void> => {
      await expect(standing(page)).toContainText("Voided at the payer, as requested.");
      await shoot("voided");
      const body = ["| state | at (UTC) | after, s |", "| --- | --- | --- |", ...rows].join("\n");
      await info.attach(`${wire.connector}.md`, { body, contentType: "text/markdown" });
    },
  };
}

async function routeBy(stack: Stack, { id }: Practice, { connector, route }: Wire): Promise<void> {
  const to = { practiceId: id, payerId: "87042", payerName: "Harbor Mutual", environment: "test" } as const;
  const credential = connector === "manual" ? undefined : "simulator-token";
  await done(setRoute(stack.operator, { ...to, connector, credential, ...route(stack) }));
}

type Order = { readonly memberId: string; readonly quantity: number; readonly notes?: readonly string[] };

function intakeOf(practice: Practice, { memberId, quantity, notes = [] }: Order) {
  const { serviceReview: review, ...intake } = fullIntake(practice, { memberId });
  const procedures = [{ code: "97110", quantity, quantityTypeCode: "VS" }];
  const providerNotes = notes.map((message) => ({ message }));
  return { ...intake, serviceReview: { ...review, procedures, ...(notes.length > 0 ? { providerNotes } : {}) } };
}

/** The second gate says what is other than at the first: the line, the words and the files. */
async function expectDiff(page: Page, { files, notes = [] }: Wire): Promise<void> {
  await expect(releaseButton(page)).toHaveText(/^Release (as )?update/);
  await openTab(page, "Details", "Changes");
  const changes = page.getByRole("table", { name: /Changes since revision 1/ });
  const line = changes.getByRole("row").filter({ hasText: "/procedures/0/quantity" });
  await expect(line.getByRole("deletion")).toHaveText("8");
  await expect(line.getByRole("insertion")).toHaveText("6");
  for (const note of notes) await expect(changes).toContainText(note);
  for (const file of files) {
    await expect(changes).toContainText(sha256(file).slice(0, 12));
  }
  const documents = await openTab(page, "Documents");
  const fresh = documents.getByRole("list", { name: "Documents" }).getByRole("listitem").filter({ hasText: "New" });
  await expect(fresh).toHaveCount(files.length);
  for (const { name } of files) await expect(fresh.filter({ hasText: name })).toHaveCount(1);
}

function expectModified({ status, determination }: WireTask): void {
  expect(status.state).toBe("completed");
  expect(determination).toMatchObject({
    outcome: "modified",
    authorizationNumber: expect.any(String),
    lines: [{ action: "A6", requested: { quantity: 6 }, authorized: { quantity: 3 } }],
  });
}

type ExpectedEntry = Partial<LedgerEntry> & { readonly files?: readonly string[] };

/** The one document of the gate a task stands at, as the payer is to get it: those bytes, once. */
function messageOf(kind: LedgerEntry["kind"], task: WireTask): ExpectedEntry {
  expect(task.gate?.documentDigests).toHaveLength(1);
  return { kind, sha256: documentDigestOf(task), times: 1 };
}

/** Everything the payer ever got of this case, but for questions: these messages in this order and no others. */
async function expectLedger(
  { stack, memberId }: Circle,
  expected: readonly ExpectedEntry[],
): Promise<readonly LedgerEntry[]> {
  const entries = (await ledgerOf(stack)).filter((entry) => entry.memberId === memberId && entry.kind !== "inquiry");
  const exported = entries.map((entry) => ({
    ...entry,
    files: entry.attachments.map((file) => file.sha256).toSorted(),
  }));
  expect(exported).toHaveLength(expected.length);
  expect(exported).toMatchObject([...expected]);
  return entries;
}

async function control(stack: Stack, path: string, body: object): Promise<void> {
  const answer = await fetch(`${stack.simulatorUrl}/control/${path}`, { method: "POST", body: JSON.stringify(body) });
  expect(answer.ok, await answer.text()).toBe(true);
}

async function shot(page: Page, info: TestInfo, name: string): Promise<void> {
  const body = await page.screenshot({ fullPage: true });
  await info.attach(name, { body, contentType: "image/png" });
}
