/** A column whose values are sealed, and the columns that name its row, with their types. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  readonly key: Readonly<Record<string, "uuid" | "int">>;
  /** If the application may not change the row: the statement that seals it again, given old and new values and the key. */
  readonly fixed?: string;
  /** Values may have megabytes, so only a few are read at a time. */
  readonly large?: true;
  /** Of closed cases, they may be in the archive; then a reference stands in their place. */
  readonly archived?: true;
};

const id = { id: "uuid" } as const;

const fixed = (column: string) => `SELECT reseal_fixed('${column}', $3, $1, $2) AS moved`;

const columns = [
  { table: "route", column: "credential", key: id },
  { table: "route_draft", column: "credential", key: id },
  { table: "emergency_access", column: "reason", key: id },
  { table: "units_used", column: "units", key: { task_id: "uuid" } },
  { table: "subscription", column: "secret", key: { route_id: "uuid" } },
  { table: "task", column: "information_request", key: id },
  { table: "task", column: "recourse", key: id },
  { table: "task", column: "remark", key: id },
  { table: "task", column: "patient", key: id },
  {
    table: "task_event",
    column: "facts",
    key: { task_id: "uuid", version: "int", position: "int" },
    fixed: "SELECT reseal_task_events($3, $4, $5, $1, $2) AS moved",
  },
  { table: "revision", column: "service_review", key: { task_id: "uuid", number: "int" } },
  { table: "task_webhook", column: "url", key: { task_id: "uuid" } },
  { table: "task_webhook", column: "token", key: { task_id: "uuid" } },
  { table: "message", column: "body", key: id, large: true, archived: true },
  { table: "gate", column: "calls", key: id, large: true, archived: true },
  { table: "gate", column: "purpose", key: id },
  { table: "gate", column: "reason", key: id },
  { table: "vote", column: "reason", key: { gate_id: "uuid", person_id: "uuid" } },
  { table: "transmission", column: "reason", key: { gate_id: "uuid" } },
  { table: "transmission", column: "sent_to", key: { gate_id: "uuid" } },
  { table: "payer_event", column: "payload", key: id, large: true, archived: true },
  { table: "unmatched_push", column: "payload", key: id, large: true },
  { table: "determination", column: "document", key: id },
  { table: "attachment", column: "bytes", key: id, fixed: fixed("attachment.bytes"), large: true, archived: true },
  { table: "attachment", column: "name", key: id, fixed: fixed("attachment.name") },
  { table: "case_note", column: "text", key: id, fixed: fixed("case_note.text") },
] as const satisfies readonly SealedColumn[];

/** Every column with a practice's sealed values. A test compares the list with the database. */
export const sealedColumns: readonly SealedColumn[] = columns;

type NameOf<Column> = Column extends {
  readonly table: infer Table extends string;
  readonly column: infer Name extends string;
}
  ? `${Table}.${Name}`
  : never;

/** Those of them whose values may be in the archive. */
export type ArchivedColumnName = NameOf<Extract<(typeof columns)[number], { readonly archived: true }>>;

/** What no practice has: a person's or a channel's values, under the service's own key. */
type OwnKeyColumn = "totp.secret" | "case_search.text" | "channel_webhook.secret" | "channel_webhook.earlier_secret";

/** A sealed column by its table and name. */
export type SealedColumnName = NameOf<(typeof columns)[number]> | OwnKeyColumn;
