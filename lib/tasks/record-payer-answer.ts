import type { Context } from "#lib/context";
import type { PersonActor } from "#lib/domain/actor";
import type { Determination } from "#lib/domain/determination";
import { ok, type Result } from "#lib/domain/result";
import { stateOf, type Outcome, type State } from "#lib/domain/task";
import { newId } from "#lib/store/new-id";
import { insertNote } from "#lib/store/notes";
import { changeTask, practicesOf, type Loaded } from "./change.ts";
import { decidedEvent, keepSaid } from "./payer-event.ts";
import { nextPoll, noPoll } from "./polling.ts";
import type { Refusal } from "./refusal.ts";

type Done = Promise<Result<{ state: State }, Refusal>>;

export type RecordedDetermination = {
  readonly taskId: string;
  readonly outcome: Outcome;
  readonly authorizationNumber?: string | undefined;
  /** Days, YYYY-MM-DD. */
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  readonly decidedAt?: Date | undefined;
  readonly note?: string | undefined;
  /** What the record rests on: a letter, a call, a portal page. */
  readonly evidence: string;
};

/** What the payer decided, as a person learned it. The record says so and carries its evidence. */
export async function recordDetermination(ctx: Context<PersonActor>, recorded: RecordedDetermination): Done {
  const { taskId, outcome, authorizationNumber, validFrom, validTo, decidedAt, note, evidence } = recorded;
  const document: Determination = {
    outcome,
    ...(authorizationNumber ? { authorizationNumber } : {}),
    ...(validFrom ? { validFrom } : {}),
    ...(validTo ? { validTo } : {}),
    ...(decidedAt ? { decidedAt: decidedAt.toISOString() } : {}),
    lines: [],
    notes: note ? [note] : [],
    source: "person",
    evidence,
  };
  return personChange(ctx, taskId, async (loaded) => {
    const id = newId();
    const { event, frozen } = await decidedEvent(loaded, id, document);
    return ok({
      events: [event],
      act: "payer.decided",
      detail: { outcome, source: "person" },
      frozen,
      writes: { poll: noPoll },
      alongside: async () => {
        await keepSaid(loaded, { kind: "person.decided", bytes: undefined, determination: { id, document } });
        return true;
      },
    });
  });
}

/** The payer asks for more before it decides. */
export async function recordWants(
  ctx: Context<PersonActor>,
  { taskId, wants }: { taskId: string; wants: string },
): Done {
  return personChange(ctx, taskId, async () =>
    ok({
      events: [{ type: "payer-wants", wants: { text: wants, items: [] } }],
      act: "payer.wants",
      detail: { source: "person" },
    }),
  );
}

/** The payer cancelled the case without being asked. */
export async function recordVoided(
  ctx: Context<PersonActor>,
  { taskId, evidence }: { taskId: string; evidence: string },
): Done {
  return personChange(ctx, taskId, async () =>
    ok({
      events: [{ type: "payer-voided" }],
      act: "payer.voided",
      detail: { source: "person" },
      writes: { poll: noPoll },
      alongside: (here) => insertNote(here, { kind: "voided", text: evidence }),
    }),
  );
}

/** The payer will not do the void it had taken. */
export async function recordVoidRefused(
  ctx: Context<PersonActor>,
  { taskId, reason }: { taskId: string; reason: string },
): Done {
  return personChange(ctx, taskId, async ({ row }) =>
    ok({
      events: [{ type: "void-refused", reason }],
      act: "payer.void-refused",
      detail: { source: "person" },
      writes: { poll: row.determination_id ? noPoll : nextPoll(row.now, 0) },
    }),
  );
}

/** A person has seen to what the task asked their attention for. */
export async function attend(ctx: Context<PersonActor>, { taskId }: { taskId: string }): Done {
  return personChange(ctx, taskId, async ({ row }) =>
    ok({ events: [{ type: "attended" }], act: "task.attended", detail: { attention: row.attention } }),
  );
}

async function personChange(
  ctx: Context<PersonActor>,
  taskId: string,
  decide: (loaded: Loaded) => ReturnType<Parameters<typeof changeTask>[2]>,
): Done {
  const changed = await changeTask(ctx, { taskId, practices: practicesOf(ctx) }, decide);
  return changed.ok ? ok({ state: stateOf(changed.value.task) }) : changed;
}
