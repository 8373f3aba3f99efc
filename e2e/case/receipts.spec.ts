import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, fullIntake, openCase, release, signIn, test, openTab } from "../fixtures/journey.ts";
import { expectAccessible } from "../fixtures/accessible.ts";

test("after a release its receipt is saved and verified by the key that is published, and the decision prints on one page", async ({
  page,
  practice,
  stack,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "receipt-"));
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  await release(page);
  const history = await openTab(page, "Details", "History");
  const saving = page.waitForEvent("download");
  await history.getByRole("link", { name: "Receipt" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("receipt-000001.json");
  const file = join(folder, "receipt.json");
  await saved.saveAs(file);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    decision: "released",
    decidedBy: { name: practice.reviewer.name },
    gateDigest: sent.gate?.digest,
    documentDigests: sent.gate?.documentDigests,
  });
  const keys = join(folder, "keys.json");
  writeFileSync(keys, await (await fetch(`${stack.baseUrl}/.well-known/receipt-keys.json`)).text());
  expect(await stack.pa(["receipt", "verify", file, "--key", keys, "--chain"])).toContain("The receipt is genuine");

  await history.getByRole("link", { name: "Print" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Released: submit to Harbor Mutual");
  expect(await page.title()).toMatch(/^Decision [0-9A-F]{8} · /);
  await expect(page.getByText(sent.gate?.digest.slice(0, 8) ?? "none").first()).toBeVisible();
  await expectAccessible(page, "print page");
  for (const format of ["Letter", "A4"]) {
    const pdf = (await page.pdf({ format })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
  }
  rmSync(folder, { recursive: true });
});
