import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { exportReceipts } from "#lib/audit/export-receipts";
import type { ListedReceipt } from "#lib/gate/shared/list-receipts";
import { env } from "#lib/platform/env";
import { publishedKeys, readReceiptKeys } from "#lib/platform/signing-keys";
import { verifyReceipts, type Verdict } from "#lib/gate/receipt/verify";
import { sharedStore } from "#lib/db/db";
import { columns } from "./columns.ts";
import { noKeyText, refusalText } from "#lib/messages/cli";
import { failureSentence } from "./failure-sentence.ts";
import { acrossPractices } from "#lib/db/for-practices";

export function addReceipt(program: Command): void {
  const receipt = program.command("receipt").description("the signed receipts of decisions");
  receipt
    .command("verify")
    .description("check receipts with a public key; needs no service, database or setting")
    .argument("<file...>", "receipts as they were downloaded or exported: one, or one a line")
    .requiredOption("--key <file>", "the public keys, as `receipt key` printed them")
    .option("--chain", "also that none is missing, repeated, replaced or in another place")
    .option("--from <number>", "the first receipt the chain is to begin with", aNumber, 1)
    .option("--head <hash>", "what the chain is to end with, as it was noted earlier")
    .action(verify);
  receipt
    .command("key")
    .description("print the public keys of receipts, to keep apart from the receipts")
    .action(() => {
      const { RECEIPT_SIGNING_KEY, RECEIPT_PAST_KEYS } = env();
      const keys = publishedKeys(RECEIPT_SIGNING_KEY, RECEIPT_PAST_KEYS);
      if (keys.length === 0) return fail(noKeyText("RECEIPT_SIGNING_KEY", "a server"));
      process.stdout.write(`${JSON.stringify({ keys }, null, 2)}\n`);
    });
  receipt
    .command("export")
    .description("print a practice's receipts in their order, one a line")
    .requiredOption("--practice <id>", "whose")
    .option("--since <instant>", "only of decisions made then or later, such as 2027-01-31", anInstant)
    .action(printAll);
}

/** Whether a command runs without the service, so that its settings are not required. */
export function isOffline(action: Command): boolean {
  return action.name() === "verify" && action.parent?.name() === "receipt";
}

type Verify = { key: string; chain?: true; from: number; head?: string };

function verify(files: readonly string[], { key, chain, from, head }: Verify, command: Command): void {
  const read = [key, ...files].map((name) => ({ name, bytes: bytesOf(name) }));
  const unreadable = read.find(({ bytes }) => bytes === undefined);
  if (unreadable) return fail(`${unreadable.name} cannot be read.`);
  const keys = readReceiptKeys(Buffer.from(read[0]?.bytes ?? []).toString());
  if (!keys) return fail(`${key} holds no Ed25519 public key: save there what \`receipt key\` prints.`);
  const given = read.slice(1).flatMap(({ name, bytes }) => (bytes ? [{ name, bytes }] : []));
  const query = chain || head !== undefined ? { from, head } : undefined;
  const verdict = verifyReceipts(given, { keys, chain: query });
  const asJson = command.optsWithGlobals<{ json?: true }>().json === true;
  process.stdout.write(`${asJson ? JSON.stringify(jsonOf(verdict)) : textOf(verdict, query !== undefined)}\n`);
  if (verdict.findings.length > 0) process.exitCode = 1;
}

function bytesOf(name: string): Uint8Array | undefined {
  try {
    return readFileSync(name);
  } catch {
    return undefined;
  }
}

function jsonOf({ good, chains, findings }: Verdict) {
  return { ok: findings.length === 0, verified: good.length, chains, findings };
}

function textOf({ good, chains, findings }: Verdict, asChain: boolean): string {
  const shown = good.map(({ where, receipt: { practiceId, sequence, decision, decidedBy, decidedAt, kid } }) => [
    where,
    `${practiceId} ${sequence}`,
    `${decision} by ${decidedBy.name}`,
    decidedAt,
    kid,
  ]);
  const table = shown.length > 0 ? [columns(["FILE", "RECEIPT", "DECISION", "AT", "KEY"], shown)] : [];
  const wrong = findings.map(({ where, sentence }) => `${where}: ${sentence}.`);
  const heads = chains.map(({ practiceId, first, last, head }) => `${practiceId}: ${first} to ${last}, head ${head}`);
  const verdict =
    findings.length === 0
      ? `${good.length === 1 ? "The receipt is" : `All ${good.length} receipts are`} genuine${asChain ? ", and none is missing between the first and the last" : ""}.`
      : `Not to be relied on: ${findings.length === 1 ? "one thing is" : `${findings.length} things are`} wrong.`;
  return [
    ...table,
    ...(asChain ? [heads.join("\n")] : []),
    ...(wrong.length > 0 ? [wrong.join("\n")] : []),
    verdict,
  ].join("\n\n");
}

async function printAll({ practice, since }: { practice: string; since?: Date }): Promise<void> {
  try {
    let after = 0;
    for (;;) {
      const page = await exportReceipts(
        { actor: { kind: "operator" }, store: acrossPractices(sharedStore(), "operator") },
        { practiceId: practice, after, since },
      );
      if (!page.ok) return fail(refusalText(page.refusal));
      const last = page.value.at(-1);
      // The end, or nobody reads it any more.
      if (!last || !process.stdout.writable) return;
      for (const receipt of page.value) print(receipt);
      after = last.sequence;
    }
  } catch (error) {
    fail(failureSentence(error));
  }
}

function print({ sequence, text }: ListedReceipt): void {
  if (text === undefined)
    fail(
      `Receipt ${sequence} is not printed: it was changed where it is kept, or a later release wrote it. Look for it in an earlier export, in a backup, or with that release.`,
    );
  else process.stdout.write(`${text}\n`);
}

function aNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}

function anInstant(text: string): Date {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError("It must be a date, or an instant in RFC 3339.");
  return at;
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
