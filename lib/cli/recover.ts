import { resolve } from "node:path";
import type { Command } from "commander";
import { inspectRecord, recoverRecord, type Loss, type RecoveryReport } from "#lib/submission/recover-record";
import { otherOwner } from "#lib/submission/ledger/ledger-files";
import { readFurthestHeads } from "#lib/audit/head-files";
import type { SignedHead } from "#lib/audit/heads";
import { ok } from "#lib/platform/result";
import { env } from "#lib/platform/env";
import { publishedKeys } from "#lib/platform/signing-keys";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

export function addRecover(program: Command): void {
  program
    .command("recover")
    .description(
      "after the database was restored, promoted or moved: show what it lacks, and with --yes make it safe to continue; exit code 1 if anything is missing",
    )
    .option("--ledger <folder>", "the worker's ledger of submissions; SUBMISSION_LEDGER_DIR otherwise")
    .option("--yes", "ask the payers about what was submitted since, hold every release again, and continue")
    .action(async ({ ledger = env().SUBMISSION_LEDGER_DIR, yes }: Options, command: Command) => {
      if (ledger === undefined) return fail("Name the worker's ledger with --ledger, or set SUBMISSION_LEDGER_DIR.");
      const known = { folder: ledger, heads: await exportedHeads() };
      if (yes !== true)
        return perform(command, {
          ask: async (ctx) => ok(await inspectRecord(ctx, known)),
          json: lossAsJson,
          text: lossAsText,
          good: (loss) => !isLoss(loss),
        });
      const owner = await otherOwner(resolve(ledger));
      if (owner !== undefined)
        return fail(
          `The ledger ${ledger} belongs to another user (${owner}), and the worker could not read what this one writes there: run this as that user. Nothing was changed.`,
        );
      return perform(command, {
        ask: async (ctx) => ok(await recoverRecord(ctx, known)),
        json: ({ found, held, notHeld, inquiries, ...loss }) => ({
          ...lossAsJson(loss),
          ...{ found, held, notHeld, inquiries },
        }),
        text: recoveredAsText,
        good: ({ found, notHeld }) => notHeld.length === 0 && found.every(({ as }) => as !== "unreadable"),
      });
    });
}

type Options = { readonly ledger?: string; readonly yes?: true };

/** The furthest signed heads that this machine can read. */
async function exportedHeads(): Promise<readonly SignedHead[]> {
  const { AUDIT_HEADS_DIR: folder, AUDIT_SIGNING_KEY: key, AUDIT_PAST_KEYS: past } = env();
  if (folder === undefined) return [];
  return (await readFurthestHeads(folder, publishedKeys(key, past)).catch(() => ({ heads: [] }))).heads;
}

function isLoss({ isNewLedger, chains }: Loss): boolean {
  return isNewLedger || chains.length > 0;
}

function lossAsJson({ isNewLedger, chains, submissions }: Loss) {
  return {
    newLedger: isNewLedger,
    chains: chains.map(({ chain, seen, there }) => ({ chain, seen: seen.seq, there })),
    submissions: submissions.map(({ taskId, gateId, attempt, at }) => ({ taskId, gateId, attempt, at: new Date(at) })),
  };
}

function lossAsText(loss: Loss): string {
  if (!isLoss(loss)) return "The database has everything that was seen of it. There is nothing to recover.";
  const { isNewLedger, chains, submissions } = loss;
  const rows = chains.map(({ chain, seen, there }) => [chain, String(seen.seq), String(there)]);
  return [
    ...(isNewLedger ? ["This ledger is empty: what was submitted since the state of this database is not known."] : []),
    ...(chains.length > 0 ? [columns(["CHAIN", "SEEN UP TO", "NOW AT"], rows)] : []),
    `${submissions.length} submissions left for payers that the database does not know.`,
    "If a database with nothing lacking can still be had, such as the former primary, use that one. Otherwise run this again with --yes: the payers are asked about what was submitted, every release is held again for a person, and submissions go on.",
  ].join("\n\n");
}

function recoveredAsText({ found, held, notHeld, inquiries, practices, ...loss }: RecoveryReport): string {
  const strange = found.filter(({ as }) => as !== "inquired");
  const rows = strange.map(({ practiceId, taskId, at, as }) => [practiceId, taskId, at.toISOString(), meaning[as]]);
  return [
    `Recovered ${loss.chains.length} chains of ${practices.length} practices. It is on record.`,
    `${found.length} submissions that the database did not know: ${found.length - strange.length} are asked about at their payers.`,
    ...(strange.length > 0 ? [columns(["PRACTICE", "CASE", "SUBMITTED", "NOW"], rows)] : []),
    `${held} releases are held again. ${inquiries} open cases are asked about at their payers now.`,
    ...(notHeld.length > 0
      ? [
          `${notHeld.length} releases could not be held again, because something of their cases does not open. They are not submitted as they are: ${notHeld.join(", ")}`,
        ]
      : []),
    "People, roles, keys and settings are as they were at the time of the database: repeat what was changed since, disabled accounts and revoked keys first.",
  ].join("\n\n");
}

const meaning = {
  inquired: "asked about",
  "unknown-gate": "the case needs a person: ask the payer",
  unreadable: "something of the case does not open: ask the payer",
  "unknown-case": "the case is not in the database: ask the payer, and tell the agent's owner",
} as const satisfies Record<RecoveryReport["found"][number]["as"], string>;

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
