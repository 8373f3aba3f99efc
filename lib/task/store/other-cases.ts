import type { ServiceReview } from "#lib/task/model/service-review";
import { knownWord } from "#lib/platform/known-word";
import { environments } from "#lib/task/model/environment";
import { outcomes, states, type Outcome, type State } from "#lib/task/model/task";
import { type Db, query, type Tx } from "#lib/db/db";
import { memberHash, openText } from "#lib/db/sealed";
import { payerName } from "./route-payer.ts";
import { openDetermination } from "./task-rows.ts";

/** Which member of which practice, and what is asked for. */
export type MemberQuery = {
  readonly taskId: string;
  readonly practiceId: string;
  readonly memberId: string;
  readonly codes: readonly string[];
  /** The most cases that are compared, those that left first; and among how many of the member's they are looked for. */
  readonly bounds?: { readonly most: number; readonly among: number };
};

/** Another case of the same practice and member. */
export type MembersCase = {
  readonly taskId: string;
  readonly review: ServiceReview;
  readonly state: State;
  /** Released, on its way, or with the payer. */
  readonly left: boolean;
  readonly environment: "live" | "test";
  readonly channel: string;
  readonly payerName?: string | undefined;
  readonly reference?: string | undefined;
  readonly createdAt: Date;
  readonly determination?: ReturnType<typeof openDetermination> | undefined;
};

/** For a person, who decides by them: all cases of any member there is. */
const everyCase = { most: 200, among: 100_000 };

const left = "(t.payer_receipt <> 'no' OR t.stage IN ('released', 'submitting', 'unconfirmed'))";

// The limit is part of the text, because a plan for an unknown limit is made for a large one.
const othersOf = ({ most, among }: NonNullable<MemberQuery["bounds"]>) => `
  SELECT t.id, t.revision, t.state, t.environment, t.reference, t.created_at, ${left} AS has_left,
         c.name AS channel, r.service_review, d.id AS determination_id, d.document,
         ${payerName("t")} AS payer_name
    FROM (SELECT * FROM task WHERE practice_id = $1 AND member_hash = $2 AND id <> $3::uuid LIMIT ${Math.trunc(among)}) t
    JOIN revision r ON r.task_id = t.id AND r.number = t.revision
    JOIN channel c ON c.id = t.channel_id
    LEFT JOIN determination d ON d.id = t.determination_id
   WHERE t.procedure_codes && $4::text[]
     AND t.stage <> 'ended' AND t.voided IS NULL
   ORDER BY ${left} DESC, t.changed_at DESC, t.id LIMIT ${Math.trunc(most)}`;

type Row = {
  id: string;
  revision: number;
  state: string;
  environment: string;
  reference: string | null;
  created_at: Date;
  has_left: boolean;
  channel: string;
  service_review: Uint8Array;
  determination_id: string | null;
  document: Uint8Array | null;
  payer_name: string | null;
};

/**
 * The cases of the practice that ask for one of the same codes for the same
 * member, whichever channel sent them, and are neither ended nor voided.
 */
export async function loadOtherCases(
  db: Db,
  { taskId, practiceId, memberId, codes, bounds = everyCase }: MemberQuery,
): Promise<readonly MembersCase[]> {
  const values = [practiceId, memberHash(db, memberId, practiceId), taskId, [...codes]];
  const rows = await query<Row>(db, { name: `other-cases-${bounds.most}`, text: othersOf(bounds), values });
  return rows.map((row) => rowToCase(db, practiceId, row));
}

function rowToCase(db: Db, practiceId: string, row: Row): MembersCase {
  const { id: taskId, determination_id: id, document } = row;
  const text = openText(
    db,
    "revision.service_review",
    { row: `${taskId}/${row.revision}`, practiceId },
    row.service_review,
  );
  return {
    taskId,
    // Safe because the edge parsed it before it was sealed, and the seal shows it is unchanged.
    review: JSON.parse(text) as ServiceReview,
    state: knownWord(states, row.state, "task.state"),
    left: row.has_left,
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
