import type { z } from "zod";
import { receiptProblems as problems } from "#lib/messages/problems/receipt";
import type { ReceiptKey } from "#lib/platform/signing-keys";
import { isSignedBy, type Receipt, receiptHash, receiptSchema, receiptText } from "./receipt.ts";

/** A file with one receipt, or with one on each line. */
export type ReceiptFile = { readonly name: string; readonly bytes: Uint8Array };

export type Problem =
  | "not-a-receipt"
  | "altered-form"
  | "unknown-key"
  | "signature"
  | "repeated"
  | "reordered"
  | "gap"
  | "broken-link"
  | "cut";

/** One problem: where it is, and what it is. */
export type Finding = {
  /** The file, and the line if it has several. */
  readonly where: string;
  readonly sequence?: number | undefined;
  readonly problem: Problem;
  readonly sentence: string;
};

/** The receipts of one practice as given. Note the hash of the last one elsewhere. */
export type Chain = {
  readonly practiceId: string;
  readonly first: number;
  readonly last: number;
  readonly head: string;
};

export type Verdict = {
  readonly good: readonly { readonly where: string; readonly receipt: Receipt }[];
  readonly chains: readonly Chain[];
  readonly findings: readonly Finding[];
};

/** What to check about the receipts together: that none is missing from this number on, and which one is the last. */
export type ChainQuery = { readonly from: number; readonly head?: string | undefined };

type SignedLine = { readonly where: string; readonly text: string; readonly receipt: Receipt };

/**
 * Checks receipts against public keys that were kept apart from them. With `chain`, also that the receipts of each
 * practice follow each other without a gap. Pure: uses no service, database or clock. Reports every problem. A key is
 * trusted only because it is in `keys`, never because a receipt names it.
 */
export function verifyReceipts(
  files: readonly ReceiptFile[],
  { keys, chain }: { readonly keys: readonly ReceiptKey[]; readonly chain?: ChainQuery | undefined },
): Verdict {
  const read = files.flatMap(linesOf).map((line) => ("problem" in line ? line : checkAlone(line, keys)));
  const signed = read.flatMap((one) => ("problem" in one ? [] : [one]));
  const alone = read.flatMap((one) => ("problem" in one ? [one] : []));
  const groups = [...Map.groupBy(signed, ({ receipt }) => receipt.practiceId)];
  const together = chain ? groups.flatMap(([, list]) => checkChain(list, chain)) : [];
  return {
    good: signed.map(({ where, receipt }) => ({ where, receipt })),
    chains: groups.map(([practiceId, list]) => chainOf(practiceId, list)),
    findings: [...alone, ...together],
  };
}

type Line = { readonly where: string; readonly text: string };

function linesOf({ name, bytes }: ReceiptFile): readonly (Line | Finding)[] {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return [found({ where: name }, "not-a-receipt", problems.noUtf8)];
  }
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return lines.map((line, index) => ({ where: lines.length > 1 ? `${name}:${index + 1}` : name, text: line }));
}

function checkAlone({ where, text }: Line, keys: readonly ReceiptKey[]): SignedLine | Finding {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return found({ where }, "not-a-receipt", problems.noJson);
  }
  const parsed = receiptSchema.safeParse(json);
  if (!parsed.success) return found({ where }, "not-a-receipt", wrongMember(parsed.error.issues));
  const receipt = parsed.data;
  const at = { where, sequence: receipt.sequence };
  if (receiptText(receipt) !== text) return found(at, "altered-form", problems.notCanonical);
  const key = keys.find(({ kid }) => kid === receipt.kid);
  if (!key) return found(at, "unknown-key", problems.unknownKey(receipt.kid));
  if (!isSignedBy(key, receipt)) return found(at, "signature", problems.signature);
  return { where, text, receipt };
}

/** The name of the first member that is wrong, or that no receipt has. */
function wrongMember(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") return problems.strangeMember(issue.keys);
  const member = issue?.path.join(".");
  return member ? problems.wrongMember(member) : problems.noObject;
}

function checkChain(list: readonly SignedLine[], { from, head }: ChainQuery): readonly Finding[] {
  const present = new Set(list.map(({ receipt }) => receipt.sequence));
  const findings: Finding[] = [];
  const seen = new Set<number>();
  let expected = from;
  let previous: string | undefined;
  for (const { where, text, receipt } of list) {
    const { sequence } = receipt;
    const at = { where, sequence };
    if (seen.has(sequence)) {
      findings.push(found(at, "repeated", problems.repeated(sequence)));
      continue;
    }
    findings.push(...checkPlace(at, { expected, present }));
    const follows = sequence === expected && (previous !== undefined || sequence === 1);
    if (follows && receipt.previousReceiptHash !== (previous ?? null))
      findings.push(found(at, "broken-link", problems.brokenLink(sequence)));
    seen.add(sequence);
    expected = sequence + 1;
    previous = receiptHash(text);
  }
  if (head !== undefined && previous !== head)
    findings.push(found({ where: list.at(-1)?.where ?? "" }, "cut", problems.otherLast(head)));
  return findings;
}

function checkPlace(
  at: { readonly where: string; readonly sequence: number },
  { expected, present }: { readonly expected: number; readonly present: ReadonlySet<number> },
): readonly Finding[] {
  const { sequence } = at;
  if (sequence === expected) return [];
  if (sequence < expected || present.has(expected))
    return [found(at, "reordered", problems.reordered(sequence, expected))];
  return [found(at, "gap", problems.gap(expected, sequence - 1))];
}

function chainOf(practiceId: string, list: readonly SignedLine[]): Chain {
  const first = list[0]?.receipt.sequence ?? 0;
  const last = list.at(-1);
  return { practiceId, first, last: last?.receipt.sequence ?? first, head: last ? receiptHash(last.text) : "" };
}

function found(
  { where, sequence }: { readonly where: string; readonly sequence?: number },
  problem: Problem,
  sentence: string,
): Finding {
  return { where, sequence, problem, sentence };
}
