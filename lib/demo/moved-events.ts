import type pg from "pg";
import type { Store } from "#lib/db/db";
import { project, type Event, type Projection } from "#lib/task/model/lifecycle/event";
import type { Gate } from "#lib/task/model/task";
import { openEvent, sealFacts } from "#lib/task/store/events";
import type { CaseAges } from "./case-ages.ts";

type EventRow = {
  readonly task_id: string;
  readonly practice_id: string;
  readonly version: number;
  readonly position: number;
  readonly type: string;
  readonly facts: Uint8Array;
};

/** By how much the instants of one case go back, in milliseconds, and which of its gates still wait. */
type Moves = {
  readonly end: number;
  readonly sent: number;
  readonly begin: number;
  readonly open: ReadonlySet<string>;
};

/** Dates the events of cases back as their rows were, so that a case of the demo follows from its events like any other. */
export async function moveEventsBack(client: pg.Client, cases: readonly CaseAges[], store: Store): Promise<void> {
  const ids = cases.map(({ taskId }) => taskId);
  const gates = await client.query<{ id: string }>(
    "SELECT id FROM gate WHERE task_id = ANY ($1::uuid[]) AND decided_at IS NULL",
    [ids],
  );
  const open = new Set(gates.rows.map(({ id }) => id));
  const moves = new Map(cases.map((ages) => [ages.taskId, movesOf(ages, open)]));
  const { rows } = await client.query<EventRow>("SELECT * FROM task_event WHERE task_id = ANY ($1::uuid[])", [ids]);
  const facts = rows.map((row) => movedFacts(row, store, moves.get(row.task_id)));
  await client.query(
    `UPDATE task_event e SET facts = moved.facts
       FROM unnest($1::uuid[], $2::int[], $3::int[], $4::bytea[]) AS moved (task_id, version, position, facts)
      WHERE (e.task_id, e.version, e.position) = (moved.task_id, moved.version, moved.position)`,
    [rows.map((row) => row.task_id), rows.map((row) => row.version), rows.map((row) => row.position), facts],
  );
}

function movesOf({ hours, tookHours, waitedHours }: CaseAges, open: ReadonlySet<string>): Moves {
  const milliseconds = (sum: number) => Math.round(sum * 3600) * 1000;
  return {
    end: milliseconds(hours),
    sent: milliseconds(hours + tookHours),
    begin: milliseconds(hours + tookHours + waitedHours),
    open,
  };
}

function movedFacts(row: EventRow, store: Store, moves: Moves | undefined): Uint8Array {
  const place = {
    taskId: row.task_id,
    practiceId: row.practice_id,
    version: row.version,
    position: row.position,
  };
  return moves ? sealFacts(store, movedEvent(openEvent(store, row, place), moves), place) : row.facts;
}

const back = (at: Date, byMs: number) => new Date(at.getTime() - byMs);

function movedEvent(event: Event, moves: Moves): Event {
  return project(moved, event)?.(moves) ?? event;
}

/** The events with instants that are also in the rows that were dated back. */
const moved: Projection<(moves: Moves) => Event> = {
  "task.opened": (event) => (moves) => (event.gate ? { ...event, gate: movedGate(event.gate, moves) } : event),
  "gate.opened": (event) => (moves) => ({ ...event, gate: movedGate(event.gate, moves) }),
  "gate.released":
    (event) =>
    ({ sent }) => ({ ...event, releasedAt: back(event.releasedAt, sent), claimableAt: back(event.claimableAt, sent) }),
  "gate.auto-released":
    (event) =>
    ({ sent }) => ({ ...event, releasedAt: back(event.releasedAt, sent), claimableAt: back(event.claimableAt, sent) }),
  "transmission.requeued":
    (event) =>
    ({ sent }) => ({ ...event, claimableAt: back(event.claimableAt, sent) }),
  "transmission.unconfirmed":
    (event) =>
    ({ sent }) => ({ ...event, releasedAt: back(event.releasedAt, sent) }),
  "transmission.started":
    (event) =>
    ({ sent }) => ({ ...event, at: back(event.at, sent) }),
  "payer.decided":
    (event) =>
    ({ end }) => {
      const { receivedAt } = event.determination;
      const determination = { ...event.determination, receivedAt: receivedAt && back(receivedAt, end) };
      return { ...event, determination };
    },
};

function movedGate(gate: Gate, { open, begin, end }: Moves): Gate {
  return {
    ...gate,
    openedAt: back(gate.openedAt, open.has(gate.id) ? end : begin),
    expiresAt: back(gate.expiresAt, end),
  };
}
