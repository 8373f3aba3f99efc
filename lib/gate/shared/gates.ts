import { connectorNames } from "#lib/payer/model/destination";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import type { Action } from "#lib/task/model/task";
import { actions } from "#lib/task/model/vote-rule";
import { type Db, prismaOf, query } from "#lib/db/db";
import { forMany } from "#lib/db/statement";
import { assert } from "#lib/platform/result";
import { openArchivedText, openText } from "#lib/db/sealed";

/** One frozen call of a gate, byte for byte. */
export type KeptCall = {
  readonly method: string;
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** Who answered a gate, how and when. Undefined while nobody has. */
export async function loadDecision(
  db: Db,
  { gateId, taskId, practiceId }: { gateId: string; taskId: string; practiceId: string },
): Promise<{ by: string; byId: string; answer: string; at: Date } | undefined> {
  const votes = await prismaOf(db).$queryRaw<{ id: string; name: string; answer: string; at: Date }[]>`
    SELECT p.id, p.name, v.answer, v.at FROM gate g JOIN person p ON p.id = g.decided_by
      JOIN vote v ON v.gate_id = g.id AND v.person_id = g.decided_by
     WHERE g.id::text = ${gateId} AND g.task_id = ${taskId}::uuid AND g.practice_id = ${practiceId}`;
  return votes[0] && { by: votes[0].name, byId: votes[0].id, answer: votes[0].answer, at: votes[0].at };
}

/** Why the agent requested the action at this gate, if it said so. */
export async function loadPurpose(db: Db, gate: { gateId: string; practiceId: string }): Promise<string | undefined> {
  return gatePurpose(db, await loadGate(db, gate));
}

/** The same of a gate that is loaded already. */
export function gatePurpose(
  db: Db,
  { id, practiceId, purpose }: { id: string; practiceId: string; purpose: Uint8Array | null },
): string | undefined {
  return purpose ? openText(db, "gate.purpose", { row: id, practiceId }, purpose) : undefined;
}

/** The reason a reviewer gave for the decision on this gate. */
export function gateReason(
  db: Db,
  { id, practiceId, reason }: { id: string; practiceId: string; reason: Uint8Array | null },
): string | undefined {
  return reason ? openText(db, "gate.reason", { row: id, practiceId }, reason) : undefined;
}

/** A gate with what was frozen for it. */
export async function loadGate(db: Db, { gateId, practiceId }: { gateId: string; practiceId: string }) {
  const gate = await prismaOf(db).gate.findFirstOrThrow({ where: { id: gateId, practiceId } });
  return known(gate);
}

type FrozenRow = {
  readonly id: string;
  readonly practiceId: string;
  readonly action: string;
  readonly revision: number;
  readonly digest: string;
  readonly environment: string;
  readonly connector: string;
  readonly routeId: string | null;
  readonly routeVersion: number;
  readonly isManual: boolean;
  readonly calls: Uint8Array;
};

const frozenText = `
  SELECT id, practice_id AS "practiceId", action, revision, digest, environment, connector, route_id AS "routeId",
         route_version AS "routeVersion", is_manual AS "isManual", calls
    FROM gate WHERE id = $1::uuid AND practice_id = $2`;
const manyFrozen = forMany("load-frozen", frozenText, { types: ["uuid", "text"] });

/** What was frozen for a gate, and nothing else of it, for whoever submits it. */
export async function loadFrozen(db: Db, { gateId, practiceId }: { gateId: string; practiceId: string }) {
  const values = [gateId, practiceId];
  const [gate] = await query<FrozenRow>(db, { name: "load-frozen", text: frozenText, values, many: manyFrozen });
  assert(gate, "a release has its gate");
  return known(gate);
}

type CheckedColumns = Readonly<Record<"action" | "environment" | "connector", string>>;

/** The row, with its fixed words checked. */
function known<Row extends CheckedColumns>(gate: Row) {
  return {
    ...gate,
    action: knownWord(actions, gate.action, "gate.action"),
    environment: knownWord(environments, gate.environment, "gate.environment"),
    connector: knownWord(connectorNames, gate.connector, "gate.connector"),
  };
}

/**
 * The gate of the last electronic submission, except an update that the payer rejected or is known not to have received.
 * Undefined if there was none.
 */
export async function loadSentGate(db: Db, { taskId, practiceId }: { taskId: string; practiceId: string }) {
  // "Not rejected" alone would leave out rows without an answer.
  const stands = { isManual: false, startedAt: { not: null }, OR: [{ answer: null }, { answer: { not: "rejected" } }] };
  const arrived = { OR: [{ result: null }, { result: { not: "not-received" } }] };
  const gate = await prismaOf(db).gate.findFirst({
    where: {
      taskId,
      practiceId,
      action: "transmit",
      transmission: stands,
      OR: [{ isUpdate: false }, { transmission: arrived }],
    },
    orderBy: { openedAt: "desc" },
    include: { transmission: { select: { startedAt: true } } },
  });
  return gate ? known(gate) : undefined;
}

/** The submission of one gate of a task, with its outcome as far as it is known. Undefined if there was none. */
export async function loadSubmission(
  db: Db,
  { gateId, taskId, practiceId }: { gateId: string; taskId: string; practiceId: string },
) {
  const gate = await prismaOf(db).gate.findUnique({
    where: { id: gateId, taskId, practiceId },
    select: { action: true, isUpdate: true, transmission: { select: { result: true } } },
  });
  if (!gate?.transmission) return undefined;
  const { action, isUpdate, transmission } = gate;
  return { gateId, action, isUpdate, result: transmission.result };
}

/**
 * The gates whose bytes were or may have been submitted electronically, oldest first, except first requests that the
 * payer rejected.
 */
export async function loadSentGates(db: Db, { taskId, practiceId }: { taskId: string; practiceId: string }) {
  const left = { isManual: false, startedAt: { not: null } };
  // "Not refused" alone would leave out rows without a result.
  const open = { transmission: { OR: [{ result: null }, { result: { not: "refused" } }] } };
  const stands = { OR: [{ action: "void" }, { isUpdate: true }, open] };
  const where = { taskId, practiceId, transmission: left, AND: stands };
  return (await prismaOf(db).gate.findMany({ where, orderBy: { openedAt: "asc" } })).map(known);
}

/** The gates of first requests that were submitted electronically and rejected. */
export async function loadRefusedGates(db: Db, { taskId, practiceId }: { taskId: string; practiceId: string }) {
  const refused = { isManual: false, result: "refused" };
  const where = { taskId, practiceId, action: "transmit", isUpdate: false, transmission: refused };
  return (await prismaOf(db).gate.findMany({ where })).map(known);
}

/** How often the payer has rejected this action on this revision. */
export async function countRefusals(
  db: Db,
  of: { taskId: string; practiceId: string; action: Action; revision: number },
): Promise<number> {
  return prismaOf(db).gate.count({ where: { ...of, transmission: { result: "refused" } } });
}

/** The gates whose bytes were submitted electronically and accepted, oldest first. */
export async function loadReceivedGates(db: Db, { taskId, practiceId }: { taskId: string; practiceId: string }) {
  const received = { isManual: false, result: "received" };
  const gates = await prismaOf(db).gate.findMany({
    where: { taskId, practiceId, transmission: received },
    orderBy: { openedAt: "asc" },
  });
  return gates.map((gate) => ({ ...gate, action: knownWord(actions, gate.action, "gate.action") }));
}

type WhichReceived = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly before?: number | undefined;
  readonly except?: string | undefined;
};

/**
 * The last revision that the payer is known to have received, of all, of those before one, or of those but this gate's.
 * Undefined if none is.
 */
export async function lastReceivedRevision(
  db: Db,
  { taskId, practiceId, before, except }: WhichReceived,
): Promise<number | undefined> {
  const [gate] = await prismaOf(db).$queryRaw<{ revision: number }[]>`
    SELECT g.revision FROM gate g JOIN transmission x ON x.gate_id = g.id
     WHERE g.task_id = ${taskId}::uuid AND g.practice_id = ${practiceId} AND g.action = 'transmit' AND x.result = 'received'
       AND (${before ?? null}::int IS NULL OR g.revision < ${before ?? null}::int)
       AND g.id IS DISTINCT FROM ${except ?? null}::uuid
     ORDER BY g.opened_at DESC LIMIT 1`;
  return gate?.revision;
}

/** When this revision, which the payer received, was submitted. Undefined if it is not known to have been received. */
export async function receivedSince(
  db: Db,
  { taskId, practiceId, revision }: { taskId: string; practiceId: string; revision: number },
): Promise<Date | undefined> {
  const [sent] = await prismaOf(db).$queryRaw<{ sent_at: Date }[]>`
    SELECT x.sent_at FROM gate g JOIN transmission x ON x.gate_id = g.id
     WHERE g.task_id = ${taskId}::uuid AND g.practice_id = ${practiceId} AND g.action = 'transmit'
       AND g.revision = ${revision} AND x.result = 'received' AND x.sent_at IS NOT NULL
     ORDER BY g.opened_at DESC LIMIT 1`;
  return sent?.sent_at;
}

/** When this action on this revision was first held. */
export async function firstHeldAt(
  db: Db,
  gates: { taskId: string; practiceId: string; action: string; revision: number },
): Promise<Date | undefined> {
  const { taskId, practiceId, action, revision } = gates;
  const first = await prismaOf(db).gate.findFirst({
    where: { taskId, practiceId, action, revision },
    orderBy: { openedAt: "asc" },
    select: { openedAt: true },
  });
  return first?.openedAt;
}

/** What was frozen for a gate, out of the archive where it is there. */
export async function openCalls(
  db: Db,
  gate: { readonly id: string; readonly practiceId: string; readonly calls: Uint8Array },
): Promise<readonly KeptCall[]> {
  const text = await openArchivedText(db, "gate.calls", { row: gate.id, practiceId: gate.practiceId }, gate.calls);
  // Safe because only `sealCalls` writes this column, under authentication.
  const kept = JSON.parse(text) as (Omit<KeptCall, "body"> & { body?: string; text?: string })[];
  return kept.map(({ body = "", text: bodyText, ...call }) => ({
    ...call,
    body: bodyText === undefined ? Buffer.from(body, "base64") : Buffer.from(bodyText, "utf8"),
  }));
}
