import { caseToken } from "#lib/task/shared/case-token";
import { termsOfCase } from "#lib/queue/model/search-terms";
import type { Determination } from "#lib/task/model/determination";
import type { ServiceReview } from "#lib/task/model/service-review";
import { randomFillSync, randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { clockOf } from "#lib/task/model/clock";
import { packedReceipt } from "#lib/gate/receipt/packed-receipt";
import { type Receipt, receiptHash, receiptText, signReceipt } from "#lib/gate/receipt/receipt";
import type { SigningKey } from "#lib/platform/signing-keys";
import { filterBits } from "#lib/platform/clever/filter-bits";
import { sealCalls } from "#lib/task/store/save-task";
import type { Store } from "#lib/db/db";
import { memberHash } from "#lib/db/sealed";
import { placeOf } from "./read-specimen.ts";
import { ownMarks, type Cell, type Mould, type MouldTable } from "./mould.ts";
import { fill, sha256, type Filling, type Template } from "./template.ts";

/** What one copy is of, beside its ids: what stands for the first marks, and its time. */
export type Copy = {
  readonly values: Readonly<Record<Exclude<(typeof ownMarks)[number], "taskId" | "shortId">, string>>;
  readonly practiceId: string;
  readonly memberId: string;
  readonly lineOfBusiness: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
};

/** How far the record and the receipts of a practice have come. */
export type Chain = { seq: number; hash: string; receiptSeq: number; receiptHash: string | null };

export type Writing = {
  readonly store: Store;
  readonly signer: SigningKey;
  readonly chains: Map<string, Chain>;
  /** One row for a table, as COPY reads it. */
  readonly write: (table: string, line: string) => void;
};

const dayMs = 24 * 3_600_000;
const zone = "America/New_York";

/** Writes one copy of a case, or only those of its tables that are named. */
export function copyCase(writing: Writing, mould: Mould, copy: Copy, only?: ReadonlySet<string>): void {
  const filling = fillingOf(mould, copy);
  const one = { writing, mould, copy, filling };
  const seqs: { seq: number; hash: string }[] = [];
  for (const table of mould.tables) {
    if (only && !only.has(table.name)) continue;
    for (const row of table.rows) {
      if (table.name === "audit_entry") seqs.push(writeEntry(one, table, row));
      else if (table.name === "decision_receipt") writeReceipt(one, { table, row, seqs });
      else writing.write(table.name, lineOf(one, table, row));
      if (table.name === "task" && !mould.specimen.isOpen) writeCodes(one, table, row);
    }
  }
  writeTokens(one);
}

/** As the worker makes the case findable. */
function writeTokens(one: One): void {
  const { writing, copy, filling } = one;
  const [taskId] = filling.values;
  const [review] = sealedTexts(one, "revision", "service_review").slice(-1);
  if (taskId === undefined || review === undefined) throw new Error("A case has an id and a revision.");
  // Safe because the specimens' own texts passed the edge and the stores.
  const determinations = sealedTexts(one, "determination", "document").map((text) => JSON.parse(text) as Determination);
  for (const term of termsOfCase(JSON.parse(review) as ServiceReview, determinations)) {
    const token = bytes(caseToken(writing.store, term, copy.practiceId));
    writing.write("case_token", [copy.practiceId, token, taskId].join("\t"));
  }
}

/** What is sealed in a column, of each row of the case's own. */
function sealedTexts({ mould, filling }: One, table: string, column: string): readonly string[] {
  const { columns = [], rows = [] } = mould.tables.find(({ name }) => name === table) ?? {};
  const index = columns.findIndex(({ name }) => name === column);
  return rows.flatMap((row) => {
    const cell = row[index];
    return cell?.type === "sealed" ? [fill(cell.text, filling)] : [];
  });
}

/** As the service itself lists a case by its codes once it is over. */
function writeCodes(one: One, table: MouldTable, row: Row): void {
  const index = (column: string) => table.columns.findIndex(({ name }) => name === column);
  const changedAt = copied(one, { table, row, index: index("changed_at"), valueAt: () => "" });
  const taskId = textOf(one, row[index("id")]);
  for (const code of new Set(codesIn(textOf(one, row[index("procedure_codes")]))))
    one.writing.write("closed_code", [taskId, code, one.copy.practiceId, changedAt].join("\t"));
}

function fillingOf(mould: Mould, { values: given, fromMs, toMs }: Copy): Filling {
  const stretch = (toMs - fromMs) / Math.max(1, mould.toMs - mould.fromMs);
  const shift = (ms: number) =>
    ms > mould.toMs ? toMs + (ms - mould.toMs) : fromMs + Math.round((ms - mould.fromMs) * stretch);
  const taskId = idOf(fromMs);
  const own = { ...given, taskId, shortId: taskId.slice(-8) };
  const values = ownMarks.map((mark) => own[mark]);
  for (let id = 0; id < mould.idCount; id += 1) values.push(idOf(fromMs));
  const filling = { values, shift };
  for (const digest of mould.digests) values.push(digest(filling));
  return filling;
}

const idBytes = 16;
const randomness = { pool: Buffer.alloc(idBytes * 4096), at: idBytes * 4096 };

/** To ask the system for the randomness of each id alone takes as long as all else about a small row. */
function idOf(msecs: number): string {
  if (randomness.at === randomness.pool.length)
    Object.assign(randomness, { at: 0, pool: randomFillSync(randomness.pool) });
  const random = randomness.pool.subarray(randomness.at, (randomness.at += idBytes));
  return uuidv7({ msecs, random });
}

type One = {
  readonly writing: Writing;
  readonly mould: Mould;
  readonly copy: Copy;
  readonly filling: Filling;
};
type Row = readonly Cell[];

function lineOf(one: One, table: MouldTable, row: Row): string {
  const valueAt = (column: string) => textOf(one, row[table.columns.findIndex(({ name }) => name === column)]);
  return table.columns.map((column, index) => copied(one, { table, row, index, valueAt })).join("\t");
}

type At = {
  readonly table: MouldTable;
  readonly row: Row;
  readonly index: number;
  readonly valueAt: (column: string) => string;
};

function copied(one: One, { table, row, index, valueAt }: At): string {
  const { writing, copy, filling } = one;
  const [cell, column] = [row[index], table.columns[index]];
  if (!cell || !column) throw new Error("A row has a value for each column.");
  if (table.name === "task" && column.name === "filter_bits") return String(bitsOf(valueAt));
  switch (cell.type) {
    case "empty":
      return String.raw`\N`;
    case "text":
      return escaped(fill(cell.text, filling));
    case "instant":
      return instantOf(one, { name: `${table.name}.${column.name}`, ms: cell.ms, row, table });
    case "hash":
      return bytes(memberHash(writing.store, copy.memberId, copy.practiceId));
    case "sealed":
      return bytes(
        writing.store.sealer.seal(Buffer.from(fill(cell.text, filling)), placeOf(table, column.name, valueAt)),
      );
    case "calls": {
      const calls = cell.calls.map((call) => ({
        method: call.method,
        url: fill(call.url, filling),
        contentType: call.contentType,
        body: Buffer.from(fill(call.body, filling)),
      }));
      return bytes(sealCalls(writing.store, { id: valueAt("id"), calls }, copy.practiceId));
    }
  }
}

function bitsOf(valueAt: At["valueAt"]): bigint {
  const codes = codesIn(valueAt("procedure_codes"));
  return filterBits({ payerId: valueAt("payer_id"), channelId: valueAt("channel_id"), codes });
}

/** Codes of the specimens need no quotes in a list. */
function codesIn(list: string): readonly string[] {
  return list.slice(1, -1).split(",");
}

type Instant = { readonly name: string; readonly ms: number; readonly row: Row; readonly table: MouldTable };

/** What the case's own time does not move alike: the gate's days run from its opening, the payer's from its receipt. */
function instantOf({ filling: { shift }, copy, mould }: One, { name, ms, row, table }: Instant): string {
  const other = (column: string) => {
    const cell = row[table.columns.findIndex((one) => one.name === column)];
    return cell?.type === "instant" ? shift(cell.ms) : 0;
  };
  if (name === "reading.day") return new Date(copy.toMs).toISOString().slice(0, 10);
  if (name === "gate.expires_at") return new Date(other("opened_at") + 14 * dayMs).toISOString();
  if (name !== "task.payer_due_at") return new Date(shift(ms)).toISOString();
  const receivedAt = new Date(other("payer_received_at"));
  const facts = {
    lineOfBusiness: copy.lineOfBusiness,
    urgent: mould.specimen.urgent,
    receivedAt,
    zone,
    now: receivedAt,
  };
  const clock = clockOf(facts);
  return clock.known ? clock.dueAt.toISOString() : String.raw`\N`;
}

/** The next link of the practice's record, by the rule of `audit_append`; it lies case by case, not in the order of time. */
function writeEntry(one: One, table: MouldTable, row: Row): { seq: number; hash: string } {
  const { writing, copy, filling } = one;
  const chain = chainOf(writing, copy);
  const cellAt = (column: string) => row[table.columns.findIndex(({ name }) => name === column)];
  const when = cellAt("at");
  const at = new Date(filling.shift(when?.type === "instant" ? when.ms : copy.toMs)).toISOString().replace("Z", "000Z");
  const [actor = "", act = "", taskId = "", detail = ""] = ["actor", "act", "task_id", "detail"].map((column) =>
    textOf(one, cellAt(column)),
  );
  const salt = randomUUID();
  const contentHash = sha256(["audit-content-2", salt, at, actor, act, taskId, detail].join("\n"));
  const seq = chain.seq + 1;
  const hash = sha256(["audit-link-2", chain.hash, copy.practiceId, seq, contentHash].join("\n"));
  const values: Readonly<Record<string, string>> = {
    ...{ chain: copy.practiceId, seq: String(seq), at, actor, act, task_id: taskId, detail },
    ...{ salt, content_hash: contentHash, prev_hash: chain.hash, hash },
  };
  const line = table.columns.map(({ name }) => {
    const value = values[name];
    if (value === undefined) throw new Error(`An entry of the record has a ${name} that its copies have not.`);
    return escaped(value);
  });
  writing.write(table.name, line.join("\t"));
  Object.assign(chain, { seq, hash });
  return { seq, hash };
}

type Receipting = {
  readonly table: MouldTable;
  readonly row: Row;
  readonly seqs: readonly { seq: number; hash: string }[];
};

/** The receipt of a decision, signed anew in its place among the practice's. */
function writeReceipt(one: One, { table, row, seqs }: Receipting): void {
  const { writing, copy, mould } = one;
  const chain = chainOf(writing, copy);
  const valueAt = (column: string) => textOf(one, row[table.columns.findIndex(({ name }) => name === column)]);
  // Safe because only `issueReceipt` writes this column, from this type.
  const { kid: _, signature: __, ...before } = JSON.parse(valueAt("document")) as Receipt;
  const entries = mould.tables.find(({ name }) => name === "audit_entry");
  const place = entries?.columns.findIndex(({ name }) => name === "seq") ?? -1;
  const index = entries?.rows.findIndex((entry) => textOf(one, entry[place]) === valueAt("audit_seq")) ?? -1;
  const audit = seqs[index];
  if (!audit) throw new Error("A receipt names an entry of the record of its case.");
  const sequence = chain.receiptSeq + 1;
  const own = { sequence, previousReceiptHash: chain.receiptHash, audit: { sequence: audit.seq, hash: audit.hash } };
  const document = receiptText(signReceipt(writing.signer, { ...before, ...own }));
  const line = table.columns.map((column, at) => {
    if (column.name === "seq") return String(sequence);
    if (column.name === "audit_seq") return String(audit.seq);
    if (column.name === "document") return String.raw`\N`;
    if (column.name === "packed") return bytes(packedReceipt(document));
    return copied(one, { table, row, index: at, valueAt });
  });
  writing.write(table.name, line.join("\t"));
  Object.assign(chain, { receiptSeq: sequence, receiptHash: receiptHash(document) });
}

function chainOf({ chains }: Writing, { practiceId }: Copy): Chain {
  const chain = chains.get(practiceId);
  if (!chain) throw new Error("Every practice of the bench has its record.");
  return chain;
}

function textOf({ filling }: One, cell: Cell | undefined): string {
  if (cell?.type === "text") return fill(cell.text satisfies Template, filling);
  return "";
}

const bytes = (value: Uint8Array) =>
  String.raw`\\x` + Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");

function escaped(text: string): string {
  if (!/[\\\t\n\r]/.test(text)) return text;
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll("\t", String.raw`\t`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\r", String.raw`\r`);
}
