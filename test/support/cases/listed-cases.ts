import { v7 as uuidv7 } from "uuid";
import { openStates, closedStates } from "#lib/queue/model/queue";
import type { Action, Outcome, State } from "#lib/task/model/task";
import type { Store } from "#lib/db/db";
import { memberHash } from "#lib/db/sealed";
import { filterBits } from "#lib/platform/clever/filter-bits";

type Facts = {
  readonly practiceId: string;
  readonly state: State;
  readonly environment?: "live" | "test" | undefined;
  readonly dueAt?: Date | undefined;
  readonly payerDueAt?: Date | undefined;
  readonly changedAt?: Date | undefined;
  readonly createdAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  readonly urgent?: boolean | undefined;
  readonly needsPerson?: string | undefined;
  readonly remarkBy?: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly payerId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly procedureCodes?: readonly string[] | undefined;
  readonly recourseOpen?: boolean | undefined;
  readonly actBy?: Date | undefined;
  readonly reference?: string | undefined;
  readonly memberId?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** The last day of its authorization. */
  readonly validTo?: Date | undefined;
};

/** What lists read of a case, without the rest of it: for tests of lists alone. */
export type ListedCase = Facts & { readonly id: string };

const stages: Partial<Record<State, { stage: string; action: Action; gate: string }>> = {
  "transmit-held": { stage: "held", action: "transmit", gate: "open" },
  "void-held": { stage: "held", action: "void", gate: "open" },
  "transmit-released": { stage: "released", action: "transmit", gate: "released" },
  "void-released": { stage: "released", action: "void", gate: "released" },
  transmitting: { stage: "submitting", action: "transmit", gate: "released" },
  voiding: { stage: "submitting", action: "void", gate: "released" },
  "transmit-unconfirmed": { stage: "unconfirmed", action: "transmit", gate: "released" },
  "void-unconfirmed": { stage: "unconfirmed", action: "void", gate: "released" },
};

const dayMs = 24 * 60 * 60 * 1000;

/** Writes the rows that lists read, many at once. */
export async function listedCases(store: Store, facts: readonly Facts[]): Promise<readonly ListedCase[]> {
  const cases = facts.map((one) => ({
    ...one,
    ...{ id: uuidv7(), payerId: one.payerId ?? "60054", channelId: one.channelId ?? uuidv7() },
    procedureCodes: one.procedureCodes ?? ["72148"],
  }));
  const now = new Date();
  const gateIds = cases.map(() => uuidv7());
  const determinationIds = cases.map(() => uuidv7());
  await store.prisma.task.createMany({
    data: cases.map((one, index) => ({
      id: one.id,
      shortId: one.id.slice(-8),
      practiceId: one.practiceId,
      channelId: one.channelId,
      contextId: uuidv7(),
      payerId: one.payerId,
      environment: one.environment ?? "test",
      stage: stages[one.state]?.stage ?? (isEnd(one.state) ? "ended" : "idle"),
      stageEnd: isEnd(one.state) ? one.state : null,
      gateId: stages[one.state] ? (gateIds[index] ?? null) : null,
      determinationId: one.outcome ? (determinationIds[index] ?? null) : null,
      payerReceipt: openStates.indexOf(one.state) > 4 ? "yes" : "no",
      reference: one.reference ?? null,
      revision: 1,
      revisionDigest: "0",
      missing: [],
      procedureCodes: [...one.procedureCodes],
      filterBits: filterBits({ ...one, codes: one.procedureCodes }),
      urgent: one.urgent ?? false,
      state: one.state,
      needsPerson: one.needsPerson ?? null,
      remarkBy: one.remarkBy ?? null,
      dueAt: one.dueAt ?? null,
      payerDueAt: one.payerDueAt ?? null,
      recourseOpen: one.recourseOpen ?? false,
      actBy: one.actBy ?? null,
      assigneeId: one.assigneeId ?? null,
      memberHash: one.memberId ? memberHash(store, one.memberId, one.practiceId) : null,
      createdAt: one.createdAt ?? now,
      changedAt: one.changedAt ?? now,
    })),
  });
  await store.prisma.gate.createMany({
    data: cases.flatMap((one, index) => gateOf(one, gateIds[index], now)),
  });
  await store.prisma.determination.createMany({
    data: cases.flatMap((one, index) => determinationOf(one, determinationIds[index], now)),
  });
  await store.prisma.closedCode.createMany({ data: cases.flatMap((one) => closedCodesOf(one, now)) });
  return cases;
}

function gateOf(one: ListedCase, id: string | undefined, now: Date) {
  const under = stages[one.state];
  if (!under || id === undefined) return [];
  const openedAt = one.createdAt ?? now;
  return {
    ...{ id, taskId: one.id, practiceId: one.practiceId, action: under.action, isUpdate: false, isManual: false },
    ...{ revision: 1, digest: "0", documentDigests: [], calls: new Uint8Array(), routeVersion: 0, warnings: [] },
    ...{ connector: "manual", environment: "test", status: under.gate, openedAt },
    expiresAt: one.expiresAt ?? new Date(openedAt.getTime() + 14 * dayMs),
  };
}

function determinationOf({ id: taskId, practiceId, outcome, validTo }: ListedCase, id: string | undefined, at: Date) {
  if (!outcome || id === undefined) return [];
  const place = { id, taskId, practiceId, environment: "test" };
  return { ...place, outcome, document: new Uint8Array(), receivedAt: at, validTo: validTo ?? null };
}

function closedCodesOf({ id: taskId, practiceId, state, changedAt, procedureCodes }: ListedCase, now: Date) {
  if (!closedStates.includes(state)) return [];
  return [...new Set(procedureCodes)].map((code) => ({ taskId, practiceId, code, changedAt: changedAt ?? now }));
}

function isEnd(state: State): boolean {
  return closedStates.includes(state) && state !== "determined" && state !== "voided";
}
