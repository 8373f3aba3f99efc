import { readFileSync } from "node:fs";
import { Option, type Command } from "commander";
import { readHeadFiles, type HeadFiles } from "#lib/audit/head-files";
import { verifyAuditLog, type AuditReport } from "#lib/audit/verify-audit-log";
import { exportAuditLog } from "#lib/audit/export-audit-log";
import { setRetention } from "#lib/audit/set-retention";
import { ok } from "#lib/platform/result";
import { env } from "#lib/platform/env";
import { publishedKeys, readReceiptKeys, type ReceiptKey } from "#lib/platform/signing-keys";
import { sharedStore } from "#lib/db/db";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";
import {
  auditTexts,
  chainFaultTexts,
  guardFaultTexts,
  headFaultTexts,
  noKeyText,
  refusalText,
  taskFaultTexts,
} from "#lib/messages/cli";
import { failureSentence } from "./failure-sentence.ts";
import { acrossPractices } from "#lib/db/for-practices";

export function addAudit(program: Command): void {
  const audit = program.command("audit").description("the audit log, which shows tampering");
  audit
    .command("verify")
    .description(
      "check every chain against the signed heads, and every task against its events; prints what is wrong, with exit code 1",
    )
    .option("--chain <name>", "one chain only: a practice's id, channel:<id>, people or service:all")
    .option("--heads <folder>", "the signed heads; AUDIT_HEADS_DIR where it is set")
    .option(
      "--key <file>",
      "the public keys of the heads, as `audit key` printed them; those of the settings otherwise",
    )
    .action(async ({ chain, heads: folder, key }: Verify, command: Command) => {
      // The heads are read before the chains, so that each chain is at least as long as its head says.
      const heads = await headsIn(folder ?? env().AUDIT_HEADS_DIR, key);
      if (typeof heads === "string") return fail(heads);
      return perform(command, {
        ask: async (ctx) => {
          const found = await verifyAuditLog(ctx, { chain, heads: heads?.places });
          return found.ok ? ok({ ...found.value, heads }) : found;
        },
        json: ({ heads, ...report }) => ({
          ok: isWhole({ heads, ...report }),
          ...report,
          heads: heads && { files: heads.files, read: heads.read, bad: heads.bad },
        }),
        text,
        good: isWhole,
      });
    });
  audit
    .command("key")
    .description("print the public keys of signed heads, to keep apart from the heads")
    .action(() => {
      const keys = ownKeys();
      if (keys.length === 0) return fail(noKeyText("AUDIT_SIGNING_KEY", "a worker"));
      process.stdout.write(`${JSON.stringify({ keys }, null, 2)}\n`);
    });
  addRetention(audit);
  addExport(audit);
}

function addRetention(audit: Command): void {
  audit
    .command("retention")
    .description("set how long the content of entries is kept; numbers and hashes stay, so chains still verify")
    .option("--practice <id>", "whose audit log; unless set, every chain without a rule of its own")
    .addOption(
      new Option("--days <days>", "365 to 36500; HIPAA asks for six years, 2192 (45 CFR 164.316(b)(2))").conflicts(
        "forever",
      ),
    )
    .option("--forever", "remove the rule")
    .action(({ practice, days, forever }: Retention, command: Command) => {
      if (days === undefined && forever === undefined) return fail("Say --days or --forever.");
      return perform(command, {
        ask: (ctx) => setRetention(ctx, { practiceId: practice, days: days === undefined ? undefined : Number(days) }),
        json: () => ({ practice: practice ?? null, days: days === undefined ? null : Number(days) }),
        text: () =>
          days === undefined
            ? "The rule is gone."
            : `Contents older than ${days} days go at the worker's next round. They cannot be had back.`,
      });
    });
}

function addExport(audit: Command): void {
  audit
    .command("export")
    .description("print the audit log as JSONL, which audit-verify.mjs checks without this service")
    .option("--practice <id>", "entries of one practice; unless set, of the whole service")
    .action(async ({ practice: practiceId }: { practice?: string }) => {
      try {
        const found = await exportAuditLog(
          { actor: { kind: "operator" }, store: acrossPractices(sharedStore(), "operator") },
          { practiceId },
        );
        if (!found.ok) return fail(refusalText(found.refusal));
        for await (const line of found.value) {
          // Nobody reads it any more.
          if (!process.stdout.writable) break;
          process.stdout.write(`${line}\n`);
        }
      } catch (error) {
        fail(failureSentence(error));
      }
    });
}

type Retention = { readonly practice?: string; readonly days?: string; readonly forever?: true };
type Verify = { readonly chain?: string; readonly heads?: string; readonly key?: string };
type AuditFindings = AuditReport & { readonly heads: HeadFiles | undefined };

function ownKeys(): readonly ReceiptKey[] {
  const { AUDIT_SIGNING_KEY, AUDIT_PAST_KEYS } = env();
  return publishedKeys(AUDIT_SIGNING_KEY, AUDIT_PAST_KEYS);
}

/** The signed heads of a folder; undefined without a folder; a sentence when something cannot be read. */
async function headsIn(
  folder: string | undefined,
  keyFile: string | undefined,
): Promise<HeadFiles | undefined | string> {
  if (folder === undefined) return undefined;
  const keys = keyFile === undefined ? ownKeys() : keysIn(keyFile);
  if (!keys) return `${keyFile} holds no Ed25519 public key: save there what \`audit key\` prints.`;
  if (keys.length === 0) return auditTexts.noHeadKey;
  return readHeadFiles(folder, keys).catch(() => `The folder ${folder} cannot be read.`);
}

function keysIn(file: string): readonly ReceiptKey[] | undefined {
  try {
    return readReceiptKeys(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

function isWhole({ chains, guards, heads, replay }: AuditFindings): boolean {
  const wrong = [...guards, ...(heads?.bad ?? []), ...replay.faults];
  return wrong.length === 0 && chains.every(({ broken }) => broken === undefined);
}

function text(found: AuditFindings): string {
  const { chains, guards, heads, replay } = found;
  const rows = chains.map(({ chain, entries, purged, heads: met, head, broken }) => [
    chain,
    String(entries),
    String(purged),
    String(met),
    head,
    broken === undefined ? auditTexts.intact : chainFaultTexts[broken.problem](broken),
  ]);
  const wrong = [
    ...guards.map(({ guard, problem }) => auditTexts.fault(guard, guardFaultTexts[problem])),
    ...(heads?.bad ?? []).map(({ where, problem }) => auditTexts.fault(where, headFaultTexts[problem])),
    ...replay.faults.map(({ taskId, practiceId, problem }) =>
      auditTexts.taskFault(taskId, practiceId, taskFaultTexts[problem]),
    ),
  ];
  const compared = [
    ...(replay.tasks > 0 ? [auditTexts.replayed(replay.tasks)] : []),
    ...(replay.before > 0 ? [auditTexts.older(replay.before)] : []),
  ];
  return [
    chains.length === 0 ? auditTexts.empty : columns(["CHAIN", "ENTRIES", "PURGED", "HEADS", "HEAD", "STATE"], rows),
    wrong.join("\n"),
    compared.join("\n"),
    ...(chains.length === 0 && isWhole(found) ? [] : [verdict(found)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function verdict(found: AuditFindings): string {
  if (!isWhole(found)) return auditTexts.tampered;
  return found.heads === undefined ? auditTexts.unwitnessed : auditTexts.whole(found.heads.read);
}
