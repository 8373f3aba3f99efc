import type { Command } from "commander";
import { verifyRecord, type ChainReport } from "#lib/admin/verify-record";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

export function addAudit(program: Command): void {
  const audit = program.command("audit").description("the tamper-evident record");
  audit
    .command("verify")
    .description("recompute every chain; exit code 1 and the first broken entry where one does not follow")
    .option("--chain <name>", "one chain only: a practice's id, channel:<id> or people")
    .action(({ chain }: { chain?: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => verifyRecord(ctx, { chain }),
        json: (chains) => ({ ok: isWhole(chains), chains }),
        text,
        good: isWhole,
      }),
    );
}

function isWhole(chains: readonly ChainReport[]): boolean {
  return chains.every(({ broken }) => broken === undefined);
}

const problems = {
  edited: "was edited",
  missing: "is missing",
  reordered: "was put in another place",
} as const satisfies Record<NonNullable<ChainReport["broken"]>["problem"], string>;

function text(chains: readonly ChainReport[]): string {
  if (chains.length === 0) return "The record is empty.";
  const rows = chains.map(({ chain, entries, head, broken }) => [
    chain,
    String(entries),
    head,
    broken === undefined ? "whole" : `entry ${broken.seq} ${problems[broken.problem]}`,
  ]);
  const verdict = isWhole(chains)
    ? "Every chain is whole. Note the heads elsewhere: a cut-off end shows only against them."
    : "The record was tampered with: keep the database as it is, and compare it with a backup.";
  return `${columns(["CHAIN", "ENTRIES", "HEAD", "STATE"], rows)}\n\n${verdict}`;
}
