import {
  gateOf,
  type DeterminationFact,
  type Gate,
  type PayerFacts,
  type Remark,
  type Stage,
  type Task,
} from "#lib/task/model/task";
import type { Recourse } from "#lib/task/model/recourse";
import type { Event, EventOf, EventType } from "./event.ts";

type Evolutions = { readonly [Type in EventType]: (task: Task, event: EventOf<Type>) => Task };

const idle: Stage = { kind: "idle" };

const by = (who: Remark["by"], text: string): Remark => ({ by: who, text });

/** Ends an attention that belongs to a gate or submission; any other stays until a person has dealt with it. */
const settled = (task: Task): Task => (task.attention === "channel-revoked" ? { ...task, attention: undefined } : task);

const withPayer = (task: Task, facts: Partial<PayerFacts>): Task => ({ ...task, payer: { ...task.payer, ...facts } });

/** Moves a task at its gate to another stage. */
function atGate(task: Task, stage: (gate: Gate) => Stage): Task {
  const gate = gateOf(task);
  return gate ? { ...task, stage: stage(gate) } : task;
}

type Release = Extract<Stage, { readonly releasedAt: Date }>;

/** Moves a released task to another stage of its submission. */
function withReleaseStage(task: Task, next: (release: Release) => Stage): Task {
  return "releasedAt" in task.stage ? { ...task, stage: next(task.stage) } : task;
}

function released(task: Task, { releasedAt, claimableAt }: { releasedAt: Date; claimableAt: Date }): Task {
  const toRelease = (gate: Gate): Stage => ({ kind: "released", gate, releasedAt, claimableAt, attempt: 0 });
  return atGate({ ...task, remark: undefined }, toRelease);
}

/** What each event makes of a task. There are no guards here: they are in `decide`. */
const evolutions: Evolutions = {
  "task.opened": (_, { missing, gate }) => ({
    stage: gate ? { kind: "held", gate } : idle,
    payer: { payerReceipt: "no" },
    revision: 1,
    missing,
  }),
  "task.amended": (task, { revision, missing }) => {
    const { edited: _, ...rest } = task;
    return { ...rest, revision, missing, remark: undefined, stage: idle };
  },
  "task.edited": (task, { revision, by: editor, paths }) => ({
    ...task,
    revision,
    stage: idle,
    edited: {
      by: [...new Set([...(task.edited?.by ?? []), editor])],
      paths: [...new Set([...(task.edited?.paths ?? []), ...paths])],
    },
  }),
  "task.withdrawn": (task) => ({ ...settled(task), stage: { kind: "ended", end: "withdrawn" }, remark: undefined }),
  "task.adopted": (task) => ({ ...task, attention: undefined }),
  "task.attended": (task) => ({ ...task, attention: undefined }),
  "void.requested": (task, { reason }) => ({ ...task, remark: by("agent", reason) }),
  "attention.raised": (task, { attention }) => ({ ...task, attention }),
  "attention.cleared": (task) => ({ ...task, attention: undefined }),

  "gate.opened": (task, { gate }) => ({ ...task, stage: { kind: "held", gate } }),
  "gate.voted": (task) => task,
  "gate.vote-withdrawn": (task) => task,
  "gate.released": released,
  "gate.auto-released": released,
  "gate.declined": (task, { reason, ends }) => ({
    ...settled(task),
    stage: ends ? { kind: "ended", end: "declined" } : idle,
    remark: by("reviewer", reason),
  }),
  "gate.sent-back": (task, { question }) => ({ ...settled(task), stage: idle, remark: by("reviewer", question) }),
  "gate.recalled": (task, { missing, reason }) => ({
    ...task,
    stage: idle,
    missing: missing ?? task.missing,
    remark: reason === undefined ? task.remark : by("service", reason),
  }),
  "gate.expired": (task, { reason }) => ({ ...settled(task), stage: idle, remark: by("service", reason) }),
  "gate.re-held": (task, { missing, reason, attention }) => ({
    ...task,
    stage: idle,
    missing,
    remark: by("service", reason),
    attention: attention ?? task.attention,
  }),
  "gate.superseded": (task) => ({ ...task, stage: idle }),

  "transmission.claimed": (task, { attempt, leaseUntil, started, again }) =>
    withReleaseStage(task, ({ gate, releasedAt }) => ({
      ...{ kind: "submitting", gate, releasedAt, attempt, leaseUntil, started },
      ...(again ? { again } : {}),
    })),
  "transmission.started": (task) =>
    task.stage.kind === "submitting" ? { ...task, stage: { ...task.stage, started: true } } : task,
  "transmission.lapsed": (task) => task,
  "transmission.not-sent": (task, { by: whose, reason }) =>
    whose === "person" ? { ...task, remark: by("reviewer", reason) } : task,
  "transmission.accepted": (task) => task,
  "transmission.rejected": (task) => task,
  "transmission.outcome-unknown": (task) => task,
  "transmission.found": (task) => settled(task),
  "transmission.lost": (task, { reason }) => ({
    ...task,
    attention: "lost-submission",
    remark: by("service", reason),
  }),
  "transmission.resolved": (task) => task,
  "transmission.requeued": (task, { claimableAt, reason }) =>
    withReleaseStage({ ...task, remark: by("service", reason) }, ({ gate, releasedAt, attempt }) => ({
      ...{ kind: "released", gate, releasedAt, claimableAt, attempt },
    })),
  "transmission.unconfirmed": (task, { releasedAt, attempt, reason, payerReceipt }) =>
    atGate({ ...withPayer(task, { payerReceipt }), remark: by("service", reason) }, (gate) => ({
      ...{ kind: "unconfirmed", gate, releasedAt, attempt },
    })),
  "transmission.received": (task, { reference = task.payer.reference, informationRequest, undecided }) => ({
    ...settled(
      withPayer(task, { payerReceipt: "yes", reference, informationRequest, requestedBeside: undefined, undecided }),
    ),
    stage: idle,
    missing: [],
    remark: informationRequest && by("payer", informationRequest.text),
  }),
  "transmission.void-accepted": (task, { done }) => ({
    ...settled(withPayer(task, { payerReceipt: "yes", ...(done ? { voided: "by-us" } : { voidPending: true }) })),
    stage: idle,
    remark: undefined,
  }),
  "transmission.refused": (task, { reason, payerReceipt, ends, informationRequest }) => ({
    ...withPayer(task, { payerReceipt, ...(informationRequest ? { informationRequest } : {}) }),
    stage: ends ? { kind: "ended", end: "failed" } : idle,
    remark: by("payer", reason),
  }),
  "transmission.not-received": (task, { payerReceipt }) => ({
    ...withPayer(task, { payerReceipt }),
    stage: idle,
    remark: undefined,
  }),
  "transmission.ended": (task) => ({ ...settled(task), stage: idle }),

  "payer.decided": (task, { counts, determination: decided, reference = task.payer.reference, payerReceipt }) => {
    if (!counts) return task;
    const { appeal: terms, ...determination } = decided;
    const undecided = stillUndecided(task.payer, determination);
    const informationRequest = undecided && task.payer.informationRequest;
    const recourse = terms && { terms };
    const requestedBeside = informationRequest && task.payer.requestedBeside;
    const facts = { determination, reference, informationRequest, requestedBeside, undecided, recourse };
    return { ...withPayer(task, { ...facts, ...receiptIn(payerReceipt) }), attention: undefined, remark: undefined };
  },
  "payer.requested-information": (task, { counts, informationRequest, beside, payerReceipt }) => {
    if (!counts) return task;
    const changed = withPayer(task, { informationRequest, requestedBeside: beside, ...receiptIn(payerReceipt) });
    return { ...changed, remark: by("payer", informationRequest.text) };
  },
  "payer.voided": (task, { counts, voided }) =>
    counts ? withPayer(task, { payerReceipt: "yes", voidPending: undefined, voided }) : task,
  "payer.rejected": (task, { counts, reason, keeps, ends }) => {
    if (!counts) return task;
    const changed = { ...task, attention: undefined, remark: by("payer", reason) };
    const requestedBeside = keeps?.informationRequest && task.payer.requestedBeside;
    if (keeps) return withPayer(changed, { undecided: undefined, requestedBeside, ...keeps });
    return { ...changed, payer: { payerReceipt: "no" }, stage: ends ? { kind: "ended", end: "failed" } : idle };
  },
  "payer.answered-late": (task) => task,
  "payer.void-refused": (task, { reason }) => ({
    ...withPayer(task, { payerReceipt: "yes", voidPending: undefined }),
    remark: by("payer", reason),
  }),
  "payer.requested-contact": (task, { counts, text, payerReceipt }) =>
    counts
      ? { ...withPayer(task, receiptIn(payerReceipt)), attention: "contact-payer", remark: by("payer", text) }
      : task,
  "payer.unreadable": (task, { counts, reason }) =>
    counts ? { ...task, attention: "unreadable-answer", remark: by("service", reason) } : task,

  "payer.appeal-terms": (task, { terms }) => withRecourse(task, { terms }),
  "payer.peer-to-peer": (task, { peerToPeer }) => withRecourse(task, { peerToPeer }),
  "determination.accepted": (task) => withRecourse(task, { closed: true }),
};

/** Whatever else is recorded opens the matter again. */
function withRecourse(task: Task, facts: Recourse): Task {
  return withPayer(task, { recourse: { ...task.payer.recourse, closed: undefined, ...facts } });
}

function receiptIn(payerReceipt: PayerFacts["payerReceipt"] | undefined): Partial<PayerFacts> {
  return payerReceipt ? { payerReceipt } : {};
}

/** A determination of an earlier revision leaves a later one undecided. */
function stillUndecided({ undecided }: PayerFacts, { revision }: DeterminationFact): PayerFacts["undecided"] {
  return undecided && revision !== undefined && revision < undecided.revision ? undecided : undefined;
}

/** The task before its first event. */
const nothing: Task = { stage: idle, payer: { payerReceipt: "no" }, revision: 0, missing: [] };

/** The task after one more event. Total and without guards, because the event has happened. */
export function evolve(task: Task, event: Event): Task {
  // Safe because `evolutions` maps each event type to the function for exactly that event.
  const evolution = evolutions[event.type] as (task: Task, event: Event) => Task;
  return evolution(task, event);
}

/** The task that these events add up to, from the first on. */
export function replay(events: readonly Event[], from = nothing): Task {
  return events.reduce(evolve, from);
}
