import type { ServiceReview } from "#lib/task/model/service-review";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import { outcomes, states, type Outcome, type State } from "#lib/task/model/task";
import { batchStatement, coalesced } from "#lib/db/coalesce";
import { type Db, query, type Store, type Tx, unscoped } from "#lib/db/db";
import { retried } from "#lib/db/retry";
import { memberHash, openText } from "#lib/db/sealed";
import { resultOf, scopeTextOfAll, type TenantScope, withTenantScope } from "#lib/db/tenant-scope";
import { payerName } from "#lib/task/shared/route-payer";
import { openDetermination } from "./task-rows.ts";

/** Which member of which practice, and what is asked for. */
export type MemberQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly memberId: string;
  readonly codes: readonly string[];
};

/** Another case of the same practice and member. */
export type MembersCase = {
  readonly taskId: string;
  readonly review: ServiceReview;
  readonly state: State;
  /** That review is released, on its way, or with the payer. */
  readonly left: boolean;
  /** What the payer has, where that is an earlier review. The determination is then the payer's answer to this one. */
  readonly received?: ServiceReview | undefined;
  readonly environment: "live" | "test";
  readonly channel: string;
  readonly payerName?: string | undefined;
  readonly reference?: string | undefined;
  readonly createdAt: Date;
  readonly determination?: ReturnType<typeof openDetermination> | undefined;
};

const onItsWay = "t.stage IN ('released', 'submitting', 'unconfirmed')";

/** A case whose payer may have an earlier revision than the present one, which may ask for other codes. */
const mayBeBehind = "t.revision > 1 AND t.payer_receipt <> 'no'";

const columns = { practice_id: "text", member_hash: "bytea", task_id: "uuid", codes: "text[]" } as const;

/**
 * The `most` other cases that matter most, found among so many of the member's. Which they are is decided on the tasks
 * alone, and the rest is read of those few, row by row and never by whole tables. The limits are a part of the text,
 * because a plan for an unknown limit is made for a large one.
 */
const othersOf = (name: string, { most, among, which }: Record<"most" | "among", number> & { which: string }) =>
  batchStatement(
    name,
    columns,
    (given) => `
  SELECT given.n, t.id, t.revision, t.state, t.environment, t.reference, t.created_at, t.has_left,
         t.on_its_way, c.name AS channel, r.service_review, had.number AS received, had.service_review AS received_review,
         d.id AS determination_id, d.document, ${payerName("t")} AS payer_name
    FROM ${given} given
   CROSS JOIN LATERAL (
      SELECT t.id, t.practice_id, t.revision, t.state, t.environment, t.reference, t.created_at, t.changed_at,
             t.channel_id, t.payer_id, t.determination_id, ${onItsWay} AS on_its_way,
             (t.payer_receipt <> 'no' OR ${onItsWay}) AS has_left, ${mayBeBehind} AS may_be_behind
        FROM (SELECT * FROM task
               WHERE practice_id = given.practice_id AND member_hash = given.member_hash AND id <> given.task_id
               LIMIT ${Math.trunc(among)}) t
       WHERE ${which} AND t.stage <> 'ended' AND t.voided IS NULL
       ORDER BY has_left DESC, t.changed_at DESC, t.id LIMIT ${Math.trunc(most)}) t
    JOIN LATERAL (SELECT service_review FROM revision WHERE task_id = t.id AND number = t.revision LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT number, service_review FROM revision
       WHERE t.may_be_behind AND task_id = t.id AND number < t.revision AND number = (
         SELECT g.revision FROM gate g JOIN transmission x ON x.gate_id = g.id
          WHERE g.task_id = t.id AND g.practice_id = t.practice_id AND g.action = 'transmit' AND x.result = 'received'
          ORDER BY g.opened_at DESC LIMIT 1) LIMIT 1) had ON true
    JOIN LATERAL (SELECT name FROM channel WHERE id = t.channel_id LIMIT 1) c ON true
    LEFT JOIN LATERAL (SELECT id, document FROM determination WHERE id = t.determination_id LIMIT 1) d ON true
   ORDER BY given.n, t.has_left DESC, t.changed_at DESC, t.id`,
  );

const sharesCode = "t.procedure_codes && given.codes";

/** For a person, who decides by them: all cases of any member there is, also by what their payers have. */
const everyOther = othersOf("other-cases", {
  most: 200,
  among: 100_000,
  which: `(${sharesCode} OR (${mayBeBehind}))`,
});

/** For a caller, who waits: few cases, and not so many looked at that a member who has thousands would be slow. */
const fewOthers = othersOf("few-other-cases", { most: 2, among: 200, which: sharesCode });

type Row = {
  /** The number of the one who asked, counted from 1. */
  n: number;
  id: string;
  revision: number;
  state: string;
  environment: string;
  reference: string | null;
  created_at: Date;
  has_left: boolean;
  on_its_way: boolean;
  /** the number of the revision the payer has, and its sealed review, if it is an earlier one */
  received: number | null;
  received_review: Uint8Array | null;
  channel: string;
  service_review: Uint8Array;
  determination_id: string | null;
  document: Uint8Array | null;
  payer_name: string | null;
};

/**
 * The cases of the practice that ask for one of the same codes for the same member, or whose payer has a request for one,
 * whichever channel sent them, and are neither ended nor voided.
 */
export async function loadOtherCases(db: Db, of: MemberQuery): Promise<readonly MembersCase[]> {
  const rows = await query<Row>(db, everyOther([askedOf(db, of)]));
  const codes = new Set(of.codes);
  const asks = (review: ServiceReview | undefined) => review?.procedures.some(({ code }) => codes.has(code)) ?? false;
  return rows
    .map((row) => rowToCase(db, of.practiceId, row))
    .filter(({ review, received }) => asks(review) || asks(received));
}

type Ask = ReturnType<typeof askedOf> & { readonly scope: TenantScope | undefined };

const askForFew = coalesced(async (store, asks: readonly Ask[]) => {
  const { rows } = await resultOf<Row>(store.pool, withTenantScope(scopeTextOfAll(asks), fewOthers(asks)));
  return asks.map((_, index) => rows.filter(({ n }) => n === index + 1));
});

/** The two that matter most of what `loadOtherCases` gives, found among 200; those who ask at once share a statement. */
export async function loadFewOtherCases(store: Store, of: MemberQuery): Promise<readonly MembersCase[]> {
  const ask = { ...askedOf(store, of), scope: store.scope };
  const rows = await retried(() => askForFew(unscoped(store), ask), { repeatable: true });
  return rows.map((row) => rowToCase(store, of.practiceId, row));
}

function askedOf(db: Db, { taskId, practiceId, memberId, codes }: MemberQuery) {
  const hash = memberHash(db, memberId, practiceId);
  return { practice_id: practiceId, member_hash: hash, task_id: taskId, codes: [...codes] };
}

function rowToCase(db: Db, practiceId: string, row: Row): MembersCase {
  const { id: taskId, determination_id: id, document } = row;
  const open = (number: number, sealed: Uint8Array) =>
    // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
    JSON.parse(
      openText(db, "revision.service_review", { row: `${taskId}/${number}`, practiceId }, sealed),
    ) as ServiceReview;
  const received = row.received !== null && row.received_review ? open(row.received, row.received_review) : undefined;
  return {
    taskId,
    review: open(row.revision, row.service_review),
    received,
    state: knownWord(states, row.state, "task.state"),
    left: received ? row.on_its_way : row.has_left,
    environment: knownWord(environments, row.environment, "task.environment"),
    channel: row.channel,
    payerName: row.payer_name ?? undefined,
    reference: row.reference ?? undefined,
    createdAt: row.created_at,
    determination: id && document ? openDetermination(db, document, { id, practiceId }) : undefined,
  };
}

/** A case of the same member by what lists show of it. */
export type ListedMemberCase = {
  readonly taskId: string;
  readonly codes: readonly string[];
  readonly payer: { readonly id: string; readonly name?: string | undefined };
  readonly state: State;
  readonly outcome?: Outcome | undefined;
  readonly createdAt: Date;
};

type ListedRow = {
  id: string;
  procedure_codes: string[];
  payer_id: string;
  payer_name: string | null;
  state: string;
  outcome: string | null;
  created_at: Date;
};

/** The other cases of a case's member in its practice, the latest changed first, at most this many. */
export async function listMemberCases(
  db: Db,
  { taskId, practiceId, max }: { readonly taskId: string; readonly practiceId: string; readonly max: number },
): Promise<readonly ListedMemberCase[]> {
  const rows = await query<ListedRow>(db, {
    name: "list-member-cases",
    text: `SELECT t.id, t.procedure_codes, t.payer_id, t.state, d.outcome, t.created_at,
                  ${payerName("t")} AS payer_name
             FROM task t LEFT JOIN determination d ON d.id = t.determination_id AND t.state = 'determined'
            WHERE t.member_hash = (SELECT member_hash FROM task WHERE id = $1::uuid AND practice_id = $2)
              AND t.practice_id = $2 AND t.id <> $1::uuid
            ORDER BY t.changed_at DESC, t.id LIMIT $3::int`,
    values: [taskId, practiceId, max],
  });
  return rows.map((row) => ({
    taskId: row.id,
    codes: row.procedure_codes,
    payer: { id: row.payer_id, name: row.payer_name ?? undefined },
    state: knownWord(states, row.state, "task.state"),
    outcome: row.outcome === null ? undefined : knownWord(outcomes, row.outcome, "determination.outcome"),
    createdAt: row.created_at,
  }));
}

/**
 * Lets one release at a time go ahead for a member until the commit, so that of
 * two equal requests the second sees the first.
 */
export async function lockMember(
  tx: Tx,
  { practiceId, memberId }: Pick<MemberQuery, "practiceId" | "memberId">,
): Promise<void> {
  const hash = Buffer.from(memberHash(tx, memberId, practiceId)).readBigInt64BE();
  await tx.$queryRawUnsafe("SELECT pg_advisory_xact_lock($1::bigint)::text", hash);
}
