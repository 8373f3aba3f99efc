import { knownWord } from "#lib/platform/known-word";
import { deliveries, type Delivery } from "#lib/task/model/delivery";
import { actions } from "#lib/task/model/vote-rule";
import type { Action } from "#lib/task/model/task";
import type { Store } from "#lib/db/db";
import { inquiryNoteOf, type UnconfirmedResolution } from "./payer-inquiry-notes.ts";
import type { RecourseNote } from "./recourse-notes.ts";
import { type ArchiveReading, orWithout } from "#lib/db/archived";
import { openArchivedText, openText } from "#lib/db/sealed";

/** What a person submitted to the payer, asked it, or recorded as its answer. */
export type ManualRecord =
  | {
      readonly kind: "sent";
      readonly at: Date;
      readonly action: Action;
      readonly delivery: Delivery;
      /** The person's name. */
      readonly by: string;
      readonly to?: string | undefined;
    }
  | ({ readonly kind: "inquiry" } & UnconfirmedResolution)
  | { readonly kind: "voided"; readonly at: Date; readonly text: string }
  /** `of` is when a peer-to-peer review is or was; `at` when it was recorded. */
  | (RecourseNote & { readonly at: Date; readonly of?: Date | undefined });

type Place = { readonly taskId: string; readonly practiceId: string };

/** Everything that people recorded for a case except determinations, oldest first, as far as the archive gives it. */
export async function loadManualRecords(store: Store, place: Place): Promise<ArchiveReading<readonly ManualRecord[]>> {
  const deliveries = await loadDeliveries(store, place);
  const { value: notes, failure } = await orWithout(loadNotes(store, place), []);
  const list = [...deliveries, ...notes].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return { value: list, failure };
}

type DeliveryRow = {
  gate_id: string;
  action: string;
  delivery: string;
  sent_at: Date;
  sent_to: Buffer | null;
  name: string;
};

async function loadDeliveries(store: Store, { taskId, practiceId }: Place): Promise<readonly ManualRecord[]> {
  const { rows } = await store.pool.query<DeliveryRow>({
    name: "load-deliveries",
    text: `SELECT x.gate_id, x.action, x.delivery, x.sent_at, x.sent_to, p.name
       FROM gate g JOIN transmission x ON x.gate_id = g.id JOIN person p ON p.id = x.sent_by
      WHERE g.task_id = $1 AND g.practice_id = $2 AND x.delivery IS NOT NULL`,
    values: [taskId, practiceId],
  });
  return rows.map(({ gate_id: gateId, action, delivery, sent_at: at, sent_to: to, name }) => ({
    kind: "sent",
    at,
    action: knownWord(actions, action, "transmission.action"),
    delivery: knownWord(deliveries, delivery, "transmission.delivery"),
    by: name,
    to: to ? openText(store, "transmission.sent_to", { row: gateId, practiceId }, to) : undefined,
  }));
}

const recourseKinds = ["peer-to-peer", "appeal-terms", "accepted"] as const satisfies readonly RecourseNote["kind"][];

/** The note that `insertRecourseNote` kept. */
function recourseNoteOf(kind: string, text: string): RecourseNote {
  const known = knownWord(recourseKinds, kind.replace("person.", ""), "payer_event.kind");
  // Safe because only `insertRecourseNote` writes these kinds, from this type, under authentication.
  return { ...(JSON.parse(text) as Omit<RecourseNote, "kind">), kind: known } as RecourseNote;
}

type NoteRow = {
  id: string;
  kind: string;
  payload: Buffer | null;
  payer_at: Date | null;
  received_at: Date;
};

async function loadNotes(store: Store, { taskId, practiceId }: Place): Promise<readonly ManualRecord[]> {
  const { rows } = await store.pool.query<NoteRow>({
    name: "load-notes",
    text: `SELECT id, kind, payload, payer_at, received_at FROM payer_event
      WHERE task_id = $1 AND practice_id = $2
        AND kind IN ('person.inquired', 'person.voided', 'person.peer-to-peer', 'person.appeal-terms', 'person.accepted')`,
    values: [taskId, practiceId],
  });
  const records = rows.map(async ({ payload, ...row }) => {
    if (!payload) return [];
    const text = await openArchivedText(store, "payer_event.payload", { row: row.id, practiceId }, payload);
    return [noteOf(row, text)];
  });
  return (await Promise.all(records)).flat();
}

function noteOf(
  { kind, payer_at: payerAt, received_at: receivedAt }: Omit<NoteRow, "payload">,
  text: string,
): ManualRecord {
  if (kind === "person.voided") return { kind: "voided", at: receivedAt, text };
  if (kind === "person.inquired") return { kind: "inquiry", ...inquiryNoteOf(text), at: payerAt ?? receivedAt };
  return { ...recourseNoteOf(kind, text), at: receivedAt, of: payerAt ?? undefined };
}
