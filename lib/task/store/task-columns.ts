import { environments } from "#lib/task/model/environment";
import { receiptSources } from "#lib/task/model/times";
import { attentions, remarkers, states } from "#lib/task/model/task";

/** What Postgres keeps and what it is in code. */
type Values = {
  readonly uuid: string;
  readonly text: string;
  readonly int: number;
  readonly bigint: bigint;
  readonly boolean: boolean;
  readonly timestamptz: Date;
  readonly bytea: Uint8Array;
  readonly "text[]": string[];
  readonly "uuid[]": string[];
};

type Column = {
  readonly type: keyof Values;
  /** Whether it may be empty. */
  readonly empty?: true;
  /** What it may be. */
  readonly oneOf?: readonly string[];
  /** Who reads it: whoever tells an agent of one task; beside them a change of the task; or lists alone. */
  readonly read: "record" | "change" | "list";
};

/**
 * The columns of a task, each once: the select lists, the rows, the insert and the update take their names and types
 * from here. A test compares it with the database.
 */
export const taskTable = {
  id: { type: "uuid", read: "record" },
  practice_id: { type: "text", read: "record" },
  channel_id: { type: "uuid", read: "change" },
  context_id: { type: "uuid", read: "record" },
  /** The task whose authorization it renews or extends. */
  earlier_task_id: { type: "uuid", empty: true, read: "record" },
  payer_id: { type: "text", read: "change" },
  /** The payer id of the connection its request goes over, where a rule chose another than the payer's own. */
  route_payer_id: { type: "text", empty: true, read: "change" },
  environment: { type: "text", oneOf: environments, read: "record" },
  /** Grows with every change. */
  version: { type: "int", read: "record" },

  stage: {
    type: "text",
    oneOf: ["idle", "held", "released", "submitting", "unconfirmed", "ended"],
    read: "record",
  },
  stage_end: { type: "text", empty: true, oneOf: ["withdrawn", "declined", "failed"], read: "record" },
  gate_id: { type: "uuid", empty: true, read: "record" },
  payer_receipt: { type: "text", oneOf: ["no", "maybe", "yes"], read: "record" },
  reference: { type: "text", empty: true, read: "record" },
  information_request: { type: "bytea", empty: true, read: "record" },
  determination_id: { type: "uuid", empty: true, read: "record" },
  undecided_revision: { type: "int", empty: true, read: "record" },
  recourse: { type: "bytea", empty: true, read: "record" },
  void_pending: { type: "boolean", read: "record" },
  voided: { type: "text", empty: true, oneOf: ["by-us", "by-payer"], read: "record" },
  attention: { type: "text", empty: true, oneOf: attentions, read: "record" },
  remark_by: { type: "text", empty: true, oneOf: remarkers, read: "record" },
  remark: { type: "bytea", empty: true, read: "record" },

  revision: { type: "int", read: "record" },
  revision_digest: { type: "text", read: "record" },
  missing: { type: "text[]", read: "record" },
  edited_by: { type: "uuid[]", read: "record" },
  edited_paths: { type: "text[]", read: "record" },
  procedure_codes: { type: "text[]", read: "change" },
  patient: { type: "bytea", empty: true, read: "change" },
  urgent: { type: "boolean", read: "record" },
  attachment_count: { type: "int", read: "record" },

  /** Whether its changes are told to a webhook. */
  has_webhook: { type: "boolean", read: "change" },
  adopted_by: { type: "uuid", empty: true, read: "change" },
  // Only the previous release reads these; `next_inquiry` has what they say.
  poll_at: { type: "timestamptz", empty: true, read: "list" },
  polls: { type: "int", read: "list" },

  sent_at: { type: "timestamptz", empty: true, read: "record" },
  payer_received_at: { type: "timestamptz", empty: true, read: "record" },
  payer_received_by: { type: "text", empty: true, oneOf: receiptSources, read: "record" },
  /** Whether what the payer received is urgent; empty while it has nothing, and where that was before this column. */
  payer_urgent: { type: "boolean", empty: true, read: "record" },
  /** When the payer received the update that made it urgent; empty where none did, or one before this column. */
  payer_urgent_at: { type: "timestamptz", empty: true, read: "record" },
  decided_at: { type: "timestamptz", empty: true, read: "record" },
  voided_at: { type: "timestamptz", empty: true, read: "record" },
  created_at: { type: "timestamptz", read: "change" },
  changed_at: { type: "timestamptz", read: "record" },

  // What lists go by follows from the rest and is written with it.
  short_id: { type: "text", read: "list" },
  state: { type: "text", oneOf: states, read: "list" },
  needs_person: { type: "text", empty: true, read: "list" },
  due_at: { type: "timestamptz", empty: true, read: "change" },
  payer_due_at: { type: "timestamptz", empty: true, read: "list" },
  recourse_open: { type: "boolean", read: "list" },
  /** When it was over; empty while it is open. */
  closed_at: { type: "timestamptz", empty: true, read: "list" },
  act_by: { type: "timestamptz", empty: true, read: "list" },
  assignee_id: { type: "uuid", empty: true, read: "list" },
  member_hash: { type: "bytea", empty: true, read: "list" },
  filter_bits: { type: "bigint", read: "list" },
} as const satisfies Readonly<Record<string, Column>>;

type Table = typeof taskTable;
export type TaskColumn = keyof Table;

type Value<Of extends Column> =
  | (Of extends { readonly oneOf: readonly (infer Word)[] } ? Word : Values[Of["type"]])
  | (Of extends { readonly empty: true } ? null : never);

/** The columns of a row that are read for it. */
export type TaskColumnsRead<By extends Column["read"]> = {
  [Name in TaskColumn as Table[Name]["read"] extends By ? Name : never]: Value<Table[Name]>;
};

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** What a change writes, under the names that code has for the columns. */
export type TaskData = { [Name in TaskColumn as Camel<Name>]: Value<Table[Name]> };

/** A column that is written, by its name and type, and its value. */
export type WrittenColumn = { readonly name: string; readonly type: Column["type"]; readonly value: unknown };

/** What is written of each column, in the order of the table, so that changes of a kind are one statement. */
export function writtenColumns(data: Partial<TaskData>): readonly WrittenColumn[] {
  const values: Readonly<Record<string, unknown>> = data;
  return Object.entries<Column>(taskTable).flatMap(([name, { type }]) => {
    const value = values[camel(name)];
    return value === undefined ? [] : [{ name, type, value }];
  });
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The select list of what one kind of reader reads, of the task `t`. */
export function taskColumnsRead(by: Column["read"]): string {
  return Object.entries<Column>(taskTable)
    .filter(([, { read }]) => read === by)
    .map(([name, { type }]) => (type === "uuid[]" ? `t.${name}::text[] AS ${name}` : `t.${name}`))
    .join(", ");
}

/** The types of these columns, as a statement is given their values. */
export function columnTypes<const Names extends readonly Exclude<TaskColumn, "edited_by">[]>(names: Names) {
  // Safe because the object has exactly these names, each with its type.
  return Object.fromEntries(names.map((name) => [name, taskTable[name].type])) as {
    readonly [Name in Names[number]]: Table[Name]["type"];
  };
}
