import type { Link } from "#lib/audit/model/link";
import { detailJson } from "#lib/audit/model/entry";
import { linkColumns } from "./audit-chain.ts";
import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

/** The position of an entry among those of several chains: by time, then by chain and number. */
export type AuditPosition = { readonly at: string; readonly chain: string; readonly seq: number };

export type AuditRow = AuditPosition & {
  readonly act: string;
  readonly actor: string;
  /** The current name of the person or channel. */
  readonly name: string | null;
  readonly taskId: string | null;
  readonly detail: string;
};

/** What somebody may see of the chains that several practices share. Without a member, everything. */
export type Sight = {
  /** Entries that name any other practice are hidden. */
  readonly practices?: readonly string[] | undefined;
  /** The people whose entries in the chain of people are shown. */
  readonly people?: readonly string[] | undefined;
};

export type AuditBrowse = {
  readonly chains: readonly string[];
  readonly sight: Sight;
  readonly person?: string | undefined;
  readonly channel?: string | undefined;
  /** The cases to look for. They are few, so their entries are found by an index, however old they are. */
  readonly taskIds?: readonly string[] | undefined;
  /** LIKE patterns. */
  readonly acts?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Entries before or after this one. Without it, the newest. */
  readonly before?: AuditPosition | undefined;
  readonly after?: AuditPosition | undefined;
  readonly limit: number;
};

/** The newest first. `reached` is how far the search went, if there may be matches beyond it. */
export type BrowsedPage = { readonly rows: readonly AuditRow[]; readonly reached: AuditPosition | undefined };

/** The most entries of one chain that are searched for one page, so that a rare filter answers as fast as any. */
const lookedMax = 5_000;

const exactTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** An unreadable detail might name anybody, so it counts as naming a practice that does not exist. */
const detail = `(${detailJson("looked.detail", '{"practices": ""}')})`;

/** The practices that an entry names. */
const namedPractices = `jsonb_path_query(${detail}, '$.**.practices.** ? (@.type() == "string")') named`;

/** The person whom an entry is about, where it is one. */
const about = `CASE WHEN ${detail} ->> 'person' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (${detail} ->> 'person')::uuid END`;

/**
 * An entry is shown if its chain is the practice's own, or if it names nobody else's people and practices. What one of
 * its people did about somebody who works elsewhere alone is shown where it names one of these practices.
 */
const isSeen = `
  ($3::text[] IS NULL OR looked.chain <> 'people' OR ${detail} ->> 'person' = ANY ($3) OR (looked.actor = ANY ($4) AND (
    $2::text[] IS NULL
    OR NOT EXISTS (SELECT FROM person_role other WHERE other.person_id = ${about} AND other.practice_id <> ALL ($2))
    OR EXISTS (SELECT FROM ${namedPractices} WHERE named #>> '{}' = ANY ($2)))))
  AND ($2::text[] IS NULL OR looked.chain = ANY ($2) OR NOT EXISTS (
    SELECT FROM ${namedPractices} WHERE named #>> '{}' <> ALL ($2)))`;

const isWanted = `
  ($5::text IS NULL OR looked.actor = 'person:' || $5 OR ${detail} ->> 'person' = $5)
  AND ($6::text IS NULL OR looked.actor = 'channel:' || $6 OR looked.chain = 'channel:' || $6)
  AND ($7::uuid[] IS NULL OR looked.task_id = ANY ($7))
  AND ($8::text[] IS NULL OR looked.act LIKE ANY ($8))`;

/**
 * A page of the entries of several chains, merged by time. Of each chain only a part of its primary key is read: found
 * by its times, and no longer than `lookedMax`. Of named cases, every entry is read.
 */
export async function browseAudit(store: Store, query: AuditBrowse): Promise<BrowsedPage> {
  const isNewer = query.after !== undefined;
  const order = isNewer ? "" : "DESC";
  const looked = isNewer
    ? "low, least(high, low + $14 - 1) AS high, low + $14 - 1 < high AS is_cut"
    : "greatest(low, high - $14 + 1) AS low, high, high - $14 + 1 > low AS is_cut";
  const { rows } = await store.pool.query<AuditRow & { reached: AuditPosition | null }>(
    `WITH span AS MATERIALIZED (
       SELECT chain, audit_seq_at(chain, coalesce($9::timestamptz, 'epoch') - interval '1 microsecond') + 1 AS low,
              audit_seq_at(chain, coalesce($10::timestamptz, 'infinity')) AS high
         FROM unnest($1::text[]) AS named (chain)
     ), stretch AS MATERIALIZED (
       SELECT chain, ${query.taskIds ? "low, high, $14 < 0 AS is_cut" : looked} FROM span WHERE low <= high
     ), cut AS MATERIALIZED (
       SELECT e.at, e.chain, e.seq FROM stretch s JOIN audit_entry e ON e.chain = s.chain AND e.seq = s.${isNewer ? "high" : "low"}
        WHERE is_cut ORDER BY e.at ${isNewer ? "" : "DESC"}, e.chain ${order}, e.seq ${order} LIMIT 1
     ), found AS (
       SELECT entry.* FROM stretch s CROSS JOIN LATERAL (
         SELECT looked.* FROM audit_entry looked
          WHERE looked.chain = s.chain AND looked.seq BETWEEN s.low AND s.high AND ${isSeen} AND ${isWanted}
            AND ($11::timestamptz IS NULL OR (looked.at, looked.chain, looked.seq) ${isNewer ? ">" : "<"} ($11, $12, $13::bigint))
          ORDER BY looked.seq ${order} LIMIT $15) entry
        WHERE NOT EXISTS (SELECT FROM cut WHERE (entry.at, entry.chain, entry.seq) ${isNewer ? ">" : "<"} (cut.at, cut.chain, cut.seq))
        ORDER BY entry.at ${order}, entry.chain ${order}, entry.seq ${order} LIMIT $15)
     SELECT ${exactTime("f.at")} AS at, f.chain, f.seq::int AS seq, f.act, f.actor, coalesce(p.name, c.name) AS name,
            f.task_id AS "taskId", f.detail,
            (SELECT json_build_object('at', ${exactTime("at")}, 'chain', chain, 'seq', seq) FROM cut) AS reached
       FROM (SELECT) one LEFT JOIN found f ON true
       LEFT JOIN person p ON f.actor = 'person:' || p.id::text LEFT JOIN channel c ON f.actor = 'channel:' || c.id::text
      ORDER BY f.at DESC, f.chain DESC, f.seq DESC`,
    valuesOf(query),
  );
  const reached = rows[0]?.reached ?? undefined;
  // Safe because a row without a number only says how far the search went.
  return { rows: rows.filter(({ seq }) => (seq as number | null) !== null), reached };
}

function valuesOf(query: AuditBrowse): unknown[] {
  const { chains, before, after } = query;
  const spot = before ?? after;
  // The narrower of two bounds: the requested one, and the end of the last page.
  const low = [query.from?.toISOString(), after?.at]
    .filter((at) => at !== undefined)
    .sort()
    .at(-1);
  const high = [query.to?.toISOString(), before?.at]
    .filter((at) => at !== undefined)
    .sort()
    .at(0);
  return [
    chains,
    ...filterValues(query),
    low ?? null,
    high ?? null,
    spot?.at ?? null,
    spot?.chain ?? null,
    spot?.seq ?? null,
    lookedMax,
    query.limit,
  ];
}

/** The values for `isSeen` and `isWanted`, from $2 on. */
function filterValues({ sight, person, channel, taskIds, acts }: Omit<AuditBrowse, "chains" | "limit">): unknown[] {
  const actors = sight.people?.map((id) => `person:${id}`);
  const given = [sight.practices, sight.people, actors, person, channel, taskIds, acts];
  return given.map((value) => value ?? null);
}

/** The cases with this name: the whole id, or the last eight digits, which people use. */
export async function casesCalled(store: Store, name: string): Promise<readonly string[]> {
  if (isUuid(name)) return [name];
  const shortId = name.toLowerCase();
  return (await store.prisma.task.findMany({ where: { shortId }, select: { id: true } })).map(({ id }) => id);
}

export type VisibleLink = Link & { readonly isSeen: boolean };

type Stretch = Omit<AuditBrowse, "chains" | "limit" | "before" | "after"> & {
  readonly chain: string;
  readonly after: number;
  readonly through: number;
};

/** So many at once that memory stays small. */
const batchLength = 1_000;

/** Entries of one chain in order, each with whether it may be shown and matches. */
export async function* readSeenLinks(
  store: Store,
  { chain, after, through, ...query }: Stretch,
): AsyncGenerator<VisibleLink> {
  for (let last = after; last < through; last += batchLength) {
    const { rows } = await store.pool.query<VisibleLink>(
      `SELECT ${linkColumns}, (${isSeen}) AND (${isWanted}) AS "isSeen" FROM audit_entry looked
        WHERE chain = $1 AND seq > $9 AND seq <= $10 ORDER BY seq`,
      [chain, ...filterValues(query), last, Math.min(through, last + batchLength)],
    );
    yield* rows;
  }
}

/**
 * The entries of a chain between two times, by number: the first and the last. If there are none, the last is less than
 * the first.
 */
export async function stretchOf(
  store: Store,
  chain: string,
  { from, to }: { readonly from: Date | undefined; readonly to: Date | undefined },
): Promise<{ readonly first: number; readonly last: number; readonly end: number }> {
  const { rows } = await store.pool.query<{ first: number; last: number; end: number }>(
    `SELECT audit_seq_at($1, coalesce($2::timestamptz, 'epoch') - interval '1 microsecond')::int + 1 AS first,
            audit_seq_at($1, coalesce($3::timestamptz, 'infinity'))::int AS last, audit_seq_at($1, 'infinity')::int AS end`,
    [chain, from ?? null, to ?? null],
  );
  return rows[0] ?? { first: 1, last: 0, end: 0 };
}

/** The people and channels of these practices, by name, as choices for a filter. */
export async function auditParties(
  store: Store,
  practices: readonly string[] | "every",
): Promise<{ readonly people: readonly Party[]; readonly channels: readonly Party[] }> {
  const [people, channels] = await Promise.all([
    store.prisma.person.findMany({
      where: practices === "every" ? {} : { personRoles: { some: { practiceId: { in: [...practices] } } } },
      select: { id: true, name: true },
      orderBy: [{ name: "asc" }, { id: "asc" }],
    }),
    store.prisma.channel.findMany({
      where: practices === "every" ? {} : { channelPractices: { some: { practiceId: { in: [...practices] } } } },
      select: { id: true, name: true },
      orderBy: [{ name: "asc" }, { id: "asc" }],
    }),
  ]);
  return { people, channels };
}

export type Party = { readonly id: string; readonly name: string };

/** Those of these practices that exist, or all, by name. */
export async function auditPractices(
  store: Store,
  practices: readonly string[] | "every",
): Promise<readonly (Party & { readonly timeZone: string })[]> {
  return store.prisma.practice.findMany({
    where: practices === "every" ? {} : { id: { in: [...practices] } },
    select: { id: true, name: true, timeZone: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}
