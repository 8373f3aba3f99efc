import { checkTypes, type CheckType } from "#lib/gate/model/check";
import { environments } from "#lib/task/model/environment";
import { attentions, states, type Attention, type State } from "#lib/task/model/task";
import { knownWord } from "#lib/platform/known-word";
import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { payerName } from "#lib/task/shared/route-payer";
import { openText } from "#lib/db/sealed";
import { isAwake } from "./snoozes.ts";

/** A case that was chosen among others, with its open gate if it has one. */
export type ChosenRow = {
  readonly taskId: string;
  readonly practice: {
    readonly id: string;
    readonly name: string;
    readonly timeZone: string;
    /** For how many seconds a release can be undone. */
    readonly recallWindowS: number;
  };
  readonly payer: { readonly id: string; readonly name: string | undefined };
  readonly environment: "live" | "test";
  readonly state: State;
  readonly attention: Attention | undefined;
  /** Its payer had to decide by now. */
  readonly isPayerLate: boolean;
  readonly isSnoozed: boolean;
  readonly changedAt: Date;
  /** The practice's target for whoever must act. */
  readonly dueAt: Date | undefined;
  readonly urgent: boolean;
  readonly procedureCodes: readonly string[];
  readonly patient: string | undefined;
  readonly assignee: { readonly id: string; readonly name: string } | undefined;
  readonly gate:
    | {
        readonly gateId: string;
        readonly revision: number;
        readonly digest: string;
        /** A person submits it once it is released. */
        readonly isManual: boolean;
        /** What its checks warn of. */
        readonly warnings: readonly CheckType[];
      }
    | undefined;
  /** Whether this person was shown the open gate with its current digest. */
  readonly opened: boolean;
};

type Row = {
  id: string;
  practice_id: string;
  practice_name: string;
  time_zone: string;
  recall_window_s: number;
  payer_id: string;
  payer_name: string | null;
  environment: string;
  state: string;
  needs_person: string | null;
  payer_late: boolean;
  snoozed: boolean;
  changed_at: Date;
  due_at: Date | null;
  urgent: boolean;
  procedure_codes: string[];
  patient: Buffer | null;
  assignee_id: string | null;
  assignee_name: string | null;
  gate_id: string | null;
  gate_revision: number | null;
  gate_digest: string | null;
  gate_is_manual: boolean | null;
  gate_warnings: string[] | null;
  opened: boolean;
};

type ChoiceQuery = {
  readonly taskIds: readonly string[];
  readonly practices: readonly string[];
  readonly personId: string;
};

/** Those of these cases that are in these practices, in the given order. */
export async function loadChosen(
  store: Store,
  { taskIds, practices, personId }: ChoiceQuery,
): Promise<readonly ChosenRow[]> {
  const { rows } = await store.pool.query<Row>({
    name: "load-chosen",
    text: `
      SELECT t.id, t.practice_id, p.name AS practice_name, p.time_zone, p.recall_window_s, t.payer_id, ${payerName("t")} AS payer_name, t.environment, t.state, t.urgent,
             t.needs_person, t.changed_at, t.due_at, coalesce(t.payer_due_at < now(), false) AS payer_late, NOT ${isAwake} AS snoozed,
             t.procedure_codes, t.patient, t.assignee_id, a.name AS assignee_name,
             g.id AS gate_id, g.revision AS gate_revision, g.digest AS gate_digest, g.is_manual AS gate_is_manual, g.warnings AS gate_warnings, o.digest IS NOT NULL AS opened
        FROM unnest($1::uuid[]) WITH ORDINALITY AS chosen (id, position)
        JOIN task t ON t.id = chosen.id AND t.practice_id = ANY ($2::text[])
        JOIN practice p ON p.id = t.practice_id
        LEFT JOIN person a ON a.id = t.assignee_id
        LEFT JOIN gate g ON g.id = t.gate_id AND g.status = 'open'
        LEFT JOIN gate_opened o ON o.gate_id = g.id AND o.person_id = $3::uuid AND o.digest = g.digest
       ORDER BY chosen.position`,
    values: [taskIds.filter(isUuid), practices, personId],
  });
  return rows.map((row) => {
    const of = { row: row.id, practiceId: row.practice_id };
    const { gate_id: gateId, gate_revision: revision, gate_digest: digest } = row;
    const isManual = row.gate_is_manual === true;
    return {
      taskId: row.id,
      practice: {
        id: row.practice_id,
        name: row.practice_name,
        timeZone: row.time_zone,
        recallWindowS: row.recall_window_s,
      },
      payer: { id: row.payer_id, name: row.payer_name ?? undefined },
      environment: knownWord(environments, row.environment, "task.environment"),
      state: knownWord(states, row.state, "task.state"),
      attention: row.needs_person === null ? undefined : knownWord(attentions, row.needs_person, "task.needs_person"),
      isPayerLate: row.payer_late,
      isSnoozed: row.snoozed,
      changedAt: row.changed_at,
      dueAt: row.due_at ?? undefined,
      urgent: row.urgent,
      procedureCodes: row.procedure_codes,
      patient: row.patient ? openText(store, "task.patient", of, row.patient) : undefined,
      assignee: row.assignee_id ? { id: row.assignee_id, name: row.assignee_name ?? "" } : undefined,
      gate:
        gateId && revision !== null && digest
          ? { gateId, revision, digest, isManual, warnings: warningsOf(row) }
          : undefined,
      opened: row.opened,
    };
  });
}

function warningsOf({ gate_warnings: warnings }: Row): readonly CheckType[] {
  return (warnings ?? []).map((type) => knownWord(checkTypes, type, "gate.warnings"));
}

type Opening = { readonly gateId: string; readonly digest: string; readonly personId: string };

/** Whether this person was shown this gate with exactly this digest, in one of these practices. */
export async function hasOpened(
  { prisma }: Store,
  { gateId, digest, personId, practices }: Opening & { readonly practices: readonly string[] },
): Promise<boolean> {
  if (!isUuid(gateId)) return false;
  const where = { gateId, personId, digest, practiceId: { in: [...practices] } };
  return (await prisma.gateOpened.count({ where })) > 0;
}
