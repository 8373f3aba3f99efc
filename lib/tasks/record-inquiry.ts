import type { Context } from "#lib/context";
import type { WorkerActor } from "#lib/domain/actor";
import type { Event } from "#lib/domain/event";
import { ok, type Result } from "#lib/domain/result";
import { isAwaited, type Task } from "#lib/domain/task";
import type { Heard, Inquiry } from "#lib/payer/connector";
import type { TaskAct } from "#lib/store/audit";
import { newId } from "#lib/store/new-id";
import { changeTask, type Change, type Loaded } from "./change.ts";
import { decidedEvent, keepSaid, saidBefore, saidOf, sameWants } from "./payer-event.ts";
import { nextPoll, noPoll } from "./polling.ts";
import type { Refusal } from "./refusal.ts";

type Match = Extract<Inquiry, { type: "match" }>["answer"];

/**
 * Records what the payer said when asked. A match settles doubt and moves the
 * case; no match is not proof of absence and moves nothing; a reply that is not
 * understood moves nothing and asks for a person.
 */
export async function recordInquiry(
  ctx: Context<WorkerActor>,
  { taskId, heard }: { taskId: string; heard: Heard<Inquiry> },
): Promise<Result<unknown, Refusal>> {
  return changeTask(ctx, { taskId, practices: "every" }, async (loaded) => {
    const { row, task } = loaded;
    const { answer } = heard;
    if (!isAwaited(task) || task.motion.kind === "sending" || answer.type === "none") return ok("nothing");
    if (answer.type === "unknown") {
      const again = task.attention === "unreadable-answer" || heard.bytes === undefined;
      return ok(again ? "nothing" : unreadable(answer.reason));
    }
    return ok(await matched(loaded, answer.answer, heard.bytes, row.polls));
  });
}

function unreadable(reason: string): Change {
  return { events: [{ type: "unreadable", reason }], act: "payer.unreadable", detail: {} };
}

async function matched(
  loaded: Loaded,
  match: Match,
  bytes: Uint8Array | undefined,
  polls: number,
): Promise<Change | "nothing"> {
  const { row, task } = loaded;
  const id = newId();
  const document = match.type === "decided" ? match.determination : undefined;
  const said = saidOf("inquiry", match, { id, bytes });
  const { motion } = task;
  const doubted = motion.kind === "unconfirmed" && motion.gate.action === "transmit";
  const repeated = isNoNews(task, match) || (await saidBefore(loaded, said));
  if (repeated && !doubted) return "nothing";
  const { events, frozen, act } = await matchEvents(loaded, match, id);
  const reference = match.type === "decided" ? match.determination.reference : match.reference;
  const settles = doubted ? [{ type: "settled", payerHas: true, reference } as const] : [];
  return {
    events: [...settles, ...events],
    act: doubted && events.length === 0 ? "transmission.settled" : act,
    detail: { gateId: row.gate_id, answer: match.type, outcome: document?.outcome ?? null, settled: doubted },
    frozen,
    writes: { poll: isSettled(task, match) ? noPoll : nextPoll(row.now, polls) },
    alongside: async () => {
      await keepSaid(loaded, said);
      return true;
    },
  };
}

/** Still pended, with nothing wanted that was not wanted before. A payer that asks leaves requests for more out, so none is not "no more". */
function isNoNews({ payer }: Task, match: Match): boolean {
  return match.type === "accepted" && (match.wants === undefined || sameWants(match.wants, payer.wants));
}

/** Nothing more is owed by the payer; a void it took is owed until it says what became of it. */
function isSettled({ payer }: Task, match: Match): boolean {
  return match.type === "cancelled" || (match.type === "decided" && !payer.voidPending);
}

async function matchEvents(loaded: Loaded, match: Match, id: string) {
  const only = (act: TaskAct, ...events: Event[]) => ({ act, events, frozen: [] });
  switch (match.type) {
    case "accepted":
      return match.wants
        ? only("payer.wants", { type: "payer-wants", wants: match.wants })
        : only("transmission.settled");
    case "cancelled":
      return only("payer.voided", { type: "payer-voided" });
    case "contact-payer":
      return only("payer.asks-contact", { type: "payer-asks-contact", text: match.text });
    case "decided": {
      const { event, frozen } = await decidedEvent(loaded, id, match.determination);
      return { act: "payer.decided" as const, events: [event], frozen };
    }
  }
}
