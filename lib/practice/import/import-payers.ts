import type { Context } from "#lib/access/context";
import { validate } from "#lib/access/validate";
import type { Tx } from "#lib/db/db";
import { payerInput } from "#lib/practice/directory/payer-input";
import { payersMax, type PayerChange } from "#lib/practice/directory/set-payer";
import type { ListedPayer } from "#lib/practice/model/listed-payer";
import { listPayerRecords } from "#lib/practice/store/payers";
import type { PracticeRecord } from "#lib/practice/shared/practices";
import { practiceProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import type { CsvRow } from "./import-csv.ts";
import { issuesByColumn, lockPractices, outcomeOf, refusedRow, type PlannedRow } from "./import-row.ts";

export type PlannedPayer = { readonly payerOf: PracticeRecord } & PayerChange;

const columns = {
  payerId: "payer",
  requiredFields: "required_fields",
} as const;

/**
 * Compares each row with the directory of its practice. A missing column keeps the stored value, as do the payer's rules,
 * which no file has; an empty cell takes the value away, and of `supports` it means everything.
 */
export async function planPayers(
  { actor, tx }: { actor: Context["actor"]; tx: Tx },
  rows: readonly CsvRow[],
): Promise<readonly PlannedRow<PlannedPayer>[]> {
  const practices = await lockPractices(
    { actor, tx },
    rows.map(({ cells }) => cells["practice"] ?? ""),
  );
  const standing = new Map<string, ReadonlyMap<string, ListedPayer>>();
  for (const id of practices.keys())
    standing.set(id, new Map((await listPayerRecords(tx, id)).map((payer) => [payer.payerId, payer])));
  const added = new Map<string, number>();
  return rows.map((row) => {
    const { practice: practiceId = "", payer = "" } = row.cells;
    const key = `${practiceId}, ${payer}`;
    const twice = rows.find(({ cells }) => cells["practice"] === practiceId && cells["payer"] === payer);
    if (twice && twice !== row)
      return refusedRow(row, key, [{ field: "payer", problem: practiceProblems.sameAsLine(twice.line) }]);
    const practice = practices.get(practiceId);
    const known = standing.get(practiceId);
    if (!practice || !known)
      return refusedRow(row, key, [{ field: "practice", problem: practiceProblems.notYourPractice }]);
    const before = known.get(payer);
    const read = validate(payerInput, { payerId: payer, ...payerIn(row, before) });
    if (!read.ok) return refusedRow(row, key, issuesByColumn(columns, read.refusal));
    if (!before) added.set(practiceId, (added.get(practiceId) ?? 0) + 1);
    if (known.size + (added.get(practiceId) ?? 0) > payersMax)
      return refusedRow(row, key, [{ field: "payer", problem: problems.oneMoreThan(payersMax) }]);
    const next = { ...read.value, rules: before?.rules ?? [] };
    return {
      row: outcomeOf(row, key, before && payerShown(before), payerShown(next)),
      write: { payerOf: practice, before, next },
    };
  });
}

function payerIn({ cells }: CsvRow, before: ListedPayer | undefined) {
  const listOf = (column: string, standing: readonly string[] | undefined, separator: RegExp) => {
    const cell = cells[column];
    if (cell === undefined) return standing;
    const items = cell.split(separator).map((item) => item.trim());
    return items.filter((item) => item !== "");
  };
  const pick = (column: string, standing: string | undefined) => {
    const cell = cells[column];
    return cell === undefined ? standing : cell || undefined;
  };
  const supports = cells["supports"] === "" ? undefined : listOf("supports", before?.supports, /[\s;]+/);
  return {
    name: pick("name", before?.name),
    aliases: listOf("aliases", before?.aliases, /;/),
    connector: pick("connector", before?.connector),
    supports: supports?.join() === "none" ? [] : supports,
    requiredFields: listOf("required_fields", before?.requiredFields, /[\s;]+/),
  };
}

function payerShown({ name, aliases, connector, supports, requiredFields }: ListedPayer): object {
  return { name, aliases, connector: connector ?? null, supports, requiredFields };
}
