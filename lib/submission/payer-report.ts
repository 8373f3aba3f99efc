import type { Event } from "#lib/task/model/event";
import type { Task } from "#lib/task/model/task";
import type { Inquiry, Unclear } from "#lib/payer/connector";
import type { TaskAct } from "#lib/audit/store/audit";
import { newId } from "#lib/db/new-id";
import type { Change, LoadedTask } from "#lib/task/change";
import { decidedEvent, saveReport, isReportKnown, payerReport, sameWants, type ResponseOrigin } from "./payer-event.ts";
import { nextPoll, noPoll } from "./polling.ts";

/** What a payer said of a case outside an attempt. */
export type Word = Extract<Inquiry, { type: "match" }>["answer"];

/**
 * How a word was heard; it `settles` doubt where it names the very request that is in doubt, and is `late` where it
 * names one that was refused.
 */
export type ReportContext = ResponseOrigin & { readonly settles: boolean; readonly late?: boolean | undefined };

/**
 * What a payer's word about a case changes. The same word again changes
 * nothing, however it was heard before, unless it settles doubt.
 */
export async function wordChange(
  loaded: LoadedTask,
  word: Word,
  { way, bytes, settles, late = false }: ReportContext,
): Promise<Change | "nothing"> {
  const { row, task } = loaded;
  const id = newId();
  const said = payerReport(word, { way, id, bytes });
  const repeated = isNoNews(task, word) || (await isReportKnown(loaded, said));
  if (repeated && !settles) return "nothing";
  const { events, frozen, act } = late ? answeredLate : await wordEvents(loaded, word, id);
  const document = word.type === "decided" ? word.determination : undefined;
  const reference = word.type === "decided" ? word.determination.reference : word.reference;
  const settled = settles ? [{ type: "settled", payerHas: true, reference } as const] : [];
  return {
    events: [...settled, ...events],
    act: settles && events.length === 0 ? "transmission.settled" : act,
    detail: { gateId: row.gate_id, way, answer: word.type, outcome: document?.outcome ?? null, settled: settles },
    frozen,
    writes: late ? {} : { poll: isSettled(task, word) ? noPoll : nextPoll(row.now, row.polls) },
    alongside: async () => {
      await saveReport(loaded, { ...said, unread: late });
      return true;
    },
  };
}

const answeredLate = {
  act: "payer.answered-late",
  events: [{ type: "answered-late" }],
  frozen: [],
} as const satisfies Pick<Change, "act" | "events" | "frozen">;

/** A word that is not understood: nothing moves, and a person is asked once. */
export function unreadableChange({ task }: LoadedTask, reason: string): Change | "nothing" {
  if (task.attention === "unreadable-answer") return "nothing";
  return { events: [{ type: "unreadable", reason }], act: "payer.unreadable", detail: {} };
}

/** A word that leaves only what was decided to a person: it proves that the payer has what it names. */
export function unclearChange(
  loaded: LoadedTask,
  { reference, reason }: Unclear,
  { way, settles }: Pick<ReportContext, "way" | "settles">,
): Change | "nothing" {
  if (!settles) return unreadableChange(loaded, reason);
  const { row } = loaded;
  return {
    events: [
      { type: "settled", payerHas: true, reference },
      { type: "unreadable", reason },
    ],
    act: "payer.unreadable",
    detail: { gateId: row.gate_id, way, settled: true },
    writes: { poll: nextPoll(row.now, row.polls) },
  };
}

/** Still pended, with nothing wanted that was not wanted before. A payer that is asked leaves requests for more out, so none is not "no more". */
function isNoNews({ payer }: Task, word: Word): boolean {
  return word.type === "accepted" && (word.wants === undefined || sameWants(word.wants, payer.wants));
}

/** Nothing more is owed by the payer; a void it took is owed until it says what became of it. */
function isSettled({ payer }: Task, word: Word): boolean {
  return word.type === "cancelled" || (word.type === "decided" && !payer.voidPending);
}

async function wordEvents(loaded: LoadedTask, word: Word, id: string) {
  const only = (act: TaskAct, ...events: Event[]) => ({ act, events, frozen: [] });
  switch (word.type) {
    case "accepted":
      return word.wants
        ? only("payer.wants", { type: "payer-wants", wants: word.wants })
        : only("transmission.settled");
    case "cancelled":
      return only("payer.voided", { type: "payer-voided" });
    case "contact-payer":
      return only("payer.asks-contact", { type: "payer-asks-contact", text: word.text });
    case "decided": {
      const { event, frozen } = await decidedEvent(loaded, id, word.determination);
      return { act: "payer.decided" as const, events: [event], frozen };
    }
  }
}
