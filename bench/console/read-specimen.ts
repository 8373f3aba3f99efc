import type pg from "pg";
import { textOfReceipt } from "#lib/gate/receipt/packed-receipt";
import { openText, type Place, type Sealer } from "#lib/db/seal";

export type Column = { readonly name: string; readonly type: string; readonly isKey: boolean };

/** A row as Postgres writes its values; what was sealed, opened. */
export type SpecimenRow = {
  readonly values: Readonly<Record<string, string | null>>;
  readonly opened: Readonly<Record<string, string>>;
};

export type SpecimenTable = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly SpecimenRow[];
};

/** The tables with rows of a case, each after those it refers to, how those rows are found, and their order. */
const sources = {
  task: "id = $1",
  task_event: "task_id = $1 ORDER BY version, position",
  revision: "task_id = $1 ORDER BY number",
  message: "task_id = $1 ORDER BY created_at, id",
  gate: "task_id = $1 ORDER BY opened_at, id",
  vote: "gate_id IN (SELECT id FROM gate WHERE task_id = $1)",
  gate_opened: "gate_id IN (SELECT id FROM gate WHERE task_id = $1)",
  reading: "task_id = $1",
  transmission: "task_id = $1",
  payer_event: "task_id = $1",
  determination: "task_id = $1",
  audit_entry: "task_id = $1 ORDER BY seq",
  decision_receipt: "task_id = $1 ORDER BY seq",
} as const;

export const copiedTables = Object.keys(sources);

/** The tables whose rows follow from those of a case. */
export const derivedTables = ["closed_code", "case_token"];

/** Everything the database holds of one case. */
export async function readSpecimen(
  client: pg.Client,
  sealer: Sealer,
  taskId: string,
): Promise<readonly SpecimenTable[]> {
  const tables: SpecimenTable[] = [];
  for (const [name, where] of Object.entries(sources)) {
    const columns = await columnsOf(client, name);
    const { rows } = await client.query<Record<string, string | null>>({
      text: `SELECT * FROM ${name} WHERE ${where}`,
      values: [taskId],
      types: { getTypeParser: () => String },
    });
    for (const row of rows) unpack(row);
    const opened = rows.map((values) => ({ values, opened: openedOf(sealer, { name, columns }, values) }));
    tables.push({ name, columns, rows: opened });
  }
  return tables;
}

/** A receipt as text, so that the ids in it are found. */
function unpack(row: Record<string, string | null>): void {
  const { packed, document = null } = row;
  if (typeof packed !== "string") return;
  Object.assign(row, { packed: null, document: textOfReceipt({ document, packed: bytesOf(packed) }) });
}

async function columnsOf(client: pg.Client, table: string): Promise<readonly Column[]> {
  const { rows } = await client.query<{ name: string; type: string; is_key: boolean }>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnum = ANY (i.indkey) AS is_key
       FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  );
  return rows.map(({ name, type, is_key: isKey }) => ({ name, type, isKey }));
}

type Of = Pick<SpecimenTable, "name" | "columns">;

function openedOf(sealer: Sealer, table: Of, values: SpecimenRow["values"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    table.columns.filter(isSealed).flatMap(({ name }) => {
      const value = values[name] ?? null;
      const bytes = value === null ? undefined : bytesOf(value);
      return bytes
        ? [
            [
              name,
              openText(
                sealer,
                bytes,
                placeOf(table, name, (column) => values[column] ?? ""),
              ),
            ],
          ]
        : [];
    }),
  );
}

const bytesOf = (text: string) => Buffer.from(text.slice(String.raw`\x`.length), "hex");

/** Whatever is kept as bytes is sealed, but for the hash that members are found by, and receipts. */
export function isSealed({ name, type }: Column): boolean {
  return type === "bytea" && name !== "member_hash" && name !== "packed";
}

/** Where a value is sealed to: its row is named by its key. */
export function placeOf({ name: table, columns }: Of, column: string, valueOf: (column: string) => string): Place {
  const row = columns.filter(({ isKey }) => isKey).map(({ name }) => valueOf(name));
  return { table, column, row: row.join("/"), practiceId: valueOf("practice_id") };
}
