import type { Delivery } from "#lib/task/model/delivery";
import { project, type Event, type EventOf, type Projection } from "#lib/task/model/lifecycle/event";
import { gateOf, type Action, type Task } from "#lib/task/model/task";
import { sealText } from "#lib/db/sealed";
import type { LoadedTask } from "#lib/task/store/load-task";
import type { WrittenColumn } from "#lib/task/store/task-columns";
import type { TaskRow } from "#lib/task/store/task-rows";
import type { SubmissionResult } from "#lib/task/model/submission-result";

type Where = Pick<LoadedTask, "tx" | "row">;

/** The payer's answer to a submission, and what was reported with it. */
export type SubmissionReport = {
  readonly answer?: string | undefined;
  readonly reported?:
    | {
        /** When it was submitted, as stated by the person who submitted it. */
        readonly sentAt?: Date | undefined;
        /** When the payer received it. */
        readonly received?: { readonly at: Date; readonly by: "payer" | "person" } | undefined;
        /** The payer's own reference for this action. */
        readonly reference?: string | undefined;
        /** For a manual submission. */
        readonly manualDelivery?: ManualDelivery | undefined;
      }
    | undefined;
};

/** How an action was submitted by a person, by whom, and to whom or where. */
export type ManualDelivery = {
  readonly delivery: Delivery;
  readonly personId: string;
  readonly to?: string | undefined;
};

type SubmissionChange = {
  readonly events: readonly Event[];
  readonly task: Task;
  readonly writes?: SubmissionReport | undefined;
};

/** What a change writes of the row of a submission. */
type Columns = {
  readonly phase?: "released" | "submitting" | "unconfirmed" | "done";
  readonly claimableAt?: Date;
  readonly attempt?: number;
  readonly leaseUntil?: Date | null;
  readonly reservedUntil?: null;
  readonly startedAt?: Date | null;
  readonly answeredAt?: Date;
  readonly answer?: string | null;
  readonly sentAt?: Date;
  readonly result?: SubmissionResult;
  readonly reference?: string;
  readonly reason?: Uint8Array<ArrayBuffer>;
  readonly delivery?: Delivery;
  readonly sentBy?: string;
  readonly sentTo?: Uint8Array<ArrayBuffer>;
};
type Change = { readonly gateId: string; readonly data: Columns };

/** The name and the type that each has in the table. */
const columnsOf = {
  phase: ["phase", "text"],
  claimableAt: ["claimable_at", "timestamptz"],
  attempt: ["attempt", "int"],
  leaseUntil: ["lease_until", "timestamptz"],
  reservedUntil: ["reserved_until", "timestamptz"],
  startedAt: ["started_at", "timestamptz"],
  answeredAt: ["answered_at", "timestamptz"],
  answer: ["answer", "text"],
  sentAt: ["sent_at", "timestamptz"],
  result: ["result", "text"],
  reference: ["reference", "text"],
  reason: ["reason", "bytea"],
  delivery: ["delivery", "text"],
  sentBy: ["sent_by", "uuid"],
  sentTo: ["sent_to", "bytea"],
} as const satisfies Record<keyof Columns, readonly [string, WrittenColumn["type"]]>;

/** What is written of the row of one submission. */
export type SubmissionUpdate = { readonly gateId: string; readonly columns: readonly WrittenColumn[] };

/** When something was submitted, if these events say that it was: as the person stated, or when it started. */
export function leftAt(row: TaskRow, events: readonly Event[], { reported }: SubmissionReport): Date | undefined {
  if (!events.some((event) => "left" in event && event.left)) return undefined;
  const stated = reported?.sentAt && reported.sentAt < row.now ? reported.sentAt : undefined;
  return stated ?? row.started_at ?? row.now;
}

/**
 * What these events make of submissions: nothing, a change of the row of one, which can be written along with the task, or
 * more than that, which `saveSubmissions` writes.
 */
export function submissionUpdate(where: Where, happened: SubmissionChange): SubmissionUpdate | "none" | "more" {
  const { events } = happened;
  const changed = events.flatMap((event) => changeBy(where, happened, event) ?? []);
  const [only, ...others] = changed;
  if (others.length > 0 || events.some(({ type }) => isOfMore(type))) return "more";
  if (!only) return "none";
  const data: Readonly<Record<string, unknown>> = only.data;
  const columns = Object.entries(columnsOf).flatMap(([key, [name, type]]) =>
    data[key] === undefined ? [] : [{ name, type, value: data[key] }],
  );
  return { gateId: only.gateId, columns };
}

/** Events that begin the row of a submission, or end one beside what they are about. */
function isOfMore(type: Event["type"]): boolean {
  const beginning = ["gate.released", "gate.auto-released", "transmission.unconfirmed"] as const;
  return [...beginning, ...withdrawing].some((one) => one === type);
}

/** Writes the rows of submissions as they follow from the events. Each released gate has one. */
export async function saveSubmissions(where: Where, happened: SubmissionChange): Promise<void> {
  const { tx, row } = where;
  await insertReleased(where, happened);
  for (const event of happened.events) {
    const change = changeBy(where, happened, event);
    if (change)
      await tx.transmission.updateMany({
        where: { gateId: change.gateId, practiceId: row.practice_id },
        data: change.data,
      });
    const closed = "gateId" in event && withdrawing.some((type) => type === event.type) ? event.gateId : undefined;
    if (closed !== undefined && row.released_at !== null) await endWaiting(where, closed, happened);
  }
}

/** These end a release before it was submitted, or a manual submission that did not happen. */
const withdrawing = ["gate.recalled", "gate.re-held", "gate.superseded", "task.withdrawn"] as const;

async function endWaiting({ tx, row }: Where, gateId: string, { writes }: SubmissionChange): Promise<void> {
  const data = { phase: "done", leaseUntil: null, answeredAt: row.now, answer: writes?.answer ?? null };
  await tx.transmission.updateMany({ where: { gateId, practiceId: row.practice_id, phase: { not: "done" } }, data });
}

/** A release begins a submission. So does a submission found in the ledger whose release this database lacks. */
async function insertReleased({ tx, row }: Where, { events, task }: SubmissionChange): Promise<void> {
  const gate = gateOf(task);
  for (const event of events) {
    const isFound = event.type === "transmission.unconfirmed" && row.released_at === null;
    const isRelease = event.type === "gate.released" || event.type === "gate.auto-released";
    if ((!isRelease && !isFound) || gate?.id !== event.gateId) continue;
    const claimableAt = isRelease ? event.claimableAt : row.now;
    const { action, manual } = gate;
    const { id: gateId } = gate;
    await tx.$executeRaw`
      INSERT INTO transmission (gate_id, task_id, practice_id, action, is_manual, phase, attempt, released_at, claimable_at, payer_host)
      SELECT g.id, ${row.id}::uuid, ${row.practice_id}, ${action}, ${manual}, 'released', 0, ${event.releasedAt}::timestamptz, ${claimableAt}::timestamptz,
             coalesce(lower(substring(r.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')), '')
        FROM gate g LEFT JOIN route r ON r.id = g.route_id WHERE g.id = ${gateId}::uuid`;
  }
}

function changeBy(where: Where, happened: SubmissionChange, event: Event): Change | undefined {
  return project(changes(where, happened), event);
}

/** What each event makes of the row of its gate. */
function changes(where: Where, happened: SubmissionChange): Projection<Change | undefined> {
  const { row } = where;
  const { writes = {} } = happened;
  const answer = writes.answer === undefined ? {} : { answer: writes.answer };
  const ended = (event: Outcome): Change => {
    const state = { phase: "done", leaseUntil: null, answeredAt: row.now, answer: writes.answer ?? null } as const;
    return { gateId: event.gateId, data: { ...state, ...outcomeOf(where, happened, event) } };
  };
  return {
    "transmission.claimed": ({ gateId, attempt, leaseUntil = null, started }) => ({
      ...{ gateId, data: { phase: "submitting", attempt, leaseUntil, startedAt: started ? row.now : null } },
    }),
    "transmission.started": ({ gateId, at }) => ({ gateId, data: { startedAt: at } }),
    "transmission.requeued": ({ gateId, claimableAt }) => ({
      ...{
        gateId,
        data: { phase: "released", claimableAt, leaseUntil: null, startedAt: null, reservedUntil: null, ...answer },
      },
    }),
    "transmission.unconfirmed": (event) => {
      const { gateId, attempt } = event;
      const startedAt = row.started_at ?? row.now;
      const state = { phase: "unconfirmed", attempt, leaseUntil: null, startedAt, ...answer } as const;
      return { gateId, data: { ...state, ...outcomeOf(where, happened, event) } };
    },
    "transmission.received": ended,
    "transmission.void-accepted": ended,
    "transmission.refused": ended,
    "transmission.not-received": ended,
    "transmission.ended": ended,
    "payer.rejected": ({ gateId, reason, counts }) =>
      counts ? { gateId, data: { ...refusalOf(where, gateId, reason), answer: "rejected" } } : undefined,
    "payer.void-refused": ({ gateId, reason }) => ({ gateId, data: refusalOf(where, gateId, reason) }),
  };
}

type Outcome = EventOf<
  | "transmission.unconfirmed"
  | "transmission.received"
  | "transmission.void-accepted"
  | "transmission.refused"
  | "transmission.not-received"
  | "transmission.ended"
>;

function resultOf(event: Outcome) {
  switch (event.type) {
    case "transmission.ended":
      return event.result;
    case "transmission.received":
    case "transmission.void-accepted":
      return "received";
    case "transmission.refused":
      return "refused";
    case "transmission.not-received":
      return "not-received";
    case "transmission.unconfirmed":
      return "unconfirmed";
  }
}

/** What is known of a submission that left. Undefined if nothing is. */
function outcomeOf(where: Where, { events, task, writes = {} }: SubmissionChange, event: Outcome): Columns {
  const { tx, row } = where;
  const result = resultOf(event);
  if (result === undefined) return {};
  const sentAt = leftAt(row, events, writes);
  const { reported } = writes;
  const action: Action | null = row.gate_action;
  const reference =
    reported?.reference ?? (action === "transmit" && result === "received" ? task.payer.reference : undefined);
  const manualDelivery = reported?.manualDelivery;
  return {
    result,
    ...(sentAt ? { sentAt } : {}),
    ...(reference === undefined ? {} : { reference }),
    ...(event.type === "transmission.refused" ? { reason: sealedReason(where, event.gateId, event.reason) } : {}),
    ...(manualDelivery ? { delivery: manualDelivery.delivery, sentBy: manualDelivery.personId } : {}),
    ...(manualDelivery?.to
      ? {
          sentTo: sealText(
            tx,
            "transmission.sent_to",
            { row: event.gateId, practiceId: row.practice_id },
            manualDelivery.to,
          ),
        }
      : {}),
  };
}

/** The payer rejects what it had accepted, with its reason. */
function refusalOf(where: Where, gateId: string, reason: string): Columns {
  return { answeredAt: where.row.now, result: "refused", reason: sealedReason(where, gateId, reason) };
}

function sealedReason({ tx, row }: Where, gateId: string, reason: string): Uint8Array<ArrayBuffer> {
  return sealText(tx, "transmission.reason", { row: gateId, practiceId: row.practice_id }, reason);
}
