import { atoms, type Atom } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import { environments, type Environment } from "#lib/task/model/environment";
import { practicesAwaitedBy } from "#lib/access/shared/change-requests";
import type { Store, Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";

export type ChannelRecord = {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  /** A test channel reaches practices of test data alone. */
  readonly environment: Environment;
  readonly atoms: readonly Atom[];
  /** Every practice that it may reach, including suspended ones. */
  readonly practices: readonly { readonly id: string; readonly name: string }[];
  /** Of a channel that reaches none: those that it is to reach once a second administrator confirms. */
  readonly awaited: readonly string[];
  /** The networks it may call from, in CIDR; empty means anywhere. */
  readonly networks: readonly string[];
  /** Limits over all processes; absent means no limit. */
  readonly callsPerSecond?: number | undefined;
  readonly callsAtOnce?: number | undefined;
  /** Oldest first. */
  readonly keys: readonly KeyRecord[];
  /** The client that requests tokens with assertions signed by its own keys, if there is one. */
  readonly client?: ClientRecord | undefined;
  /** The channel's owner. */
  readonly owner?: { readonly id: string; readonly name: string; readonly email: string } | undefined;
  readonly createdAt: Date;
};

export type KeyRecord = {
  readonly id: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date | undefined;
  /** Accurate to a few seconds. */
  readonly lastUsedAt?: Date | undefined;
  /** Neither revoked nor expired, by the database's clock. */
  readonly live: boolean;
};

export type ClientRecord = Omit<KeyRecord, "lastFour"> & {
  readonly generation: number;
  /** The ids of its public keys. */
  readonly kids: readonly string[];
  /** Where its keys are published. The key ids above are those that were there when it was set. */
  readonly url?: string | undefined;
  /** The modulus of its shortest stored RSA key, if it has one. */
  readonly rsaBits?: number | undefined;
};

export type NewKey = {
  readonly id: string;
  readonly channelId: string;
  readonly secretHash: Uint8Array;
  readonly lastFour: string;
  readonly keyDays: number;
};

/** False if the id is taken; then nothing was written. */
export async function insertChannel(
  tx: Tx,
  channel: {
    id: string;
    name: string;
    atoms: readonly Atom[];
    practices: readonly string[];
    callsPerSecond: number | null;
    environment: Environment;
  },
): Promise<boolean> {
  const { id, name, atoms, practices, callsPerSecond, environment } = channel;
  const { count } = await tx.channel.createMany({
    data: { id, name, atoms: [...atoms], callsPerSecond, environment },
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await tx.channelPractice.createMany({ data: practices.map((practiceId) => ({ channelId: id, practiceId })) });
  return true;
}

/** The channel with its keys, locked until the commit, so that changes of its keys wait for each other. */
export async function lockChannel(tx: Tx, id: string): Promise<ChannelRecord | undefined> {
  if (!isUuid(id)) return undefined;
  await tx.$queryRaw`SELECT FROM channel WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readChannel(tx, id);
}

export async function findChannel(store: Store, id: string): Promise<ChannelRecord | undefined> {
  return isUuid(id) ? readChannel(store.prisma, id) : undefined;
}

export async function listChannelRecords(store: Store): Promise<readonly ChannelRecord[]> {
  const rows = await store.prisma.channel.findMany({ include, orderBy: [{ name: "asc" }, { id: "asc" }] });
  const beside = await readBeside(store.prisma, rows);
  return rows.map((row) => rowToChannel(row, beside));
}

export async function updateChannel(
  tx: Tx,
  id: string,
  change: {
    name?: string;
    status?: "active" | "suspended";
    atoms?: readonly Atom[];
    ownerId?: string | null;
    callsPerSecond?: number | null;
    callsAtOnce?: number | null;
  },
): Promise<void> {
  const { atoms, ...rest } = change;
  await tx.channel.update({ where: { id }, data: { ...rest, ...(atoms ? { atoms: [...atoms] } : {}) } });
}

export async function replaceReach(tx: Tx, channelId: string, practices: readonly string[]): Promise<void> {
  await tx.channelPractice.deleteMany({ where: { channelId, practiceId: { notIn: [...practices] } } });
  const data = practices.map((practiceId) => ({ channelId, practiceId }));
  await tx.channelPractice.createMany({ data, skipDuplicates: true });
}

/** These networks as Postgres writes them: without the bits of a host, each once, in the order given. */
export async function asNetworks(tx: Tx, networks: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<{ network: string }[]>`
    SELECT format('%s', network(given::inet)::inet) AS network
      FROM unnest(${[...networks]}::text[]) WITH ORDINALITY AS list (given, place) GROUP BY 1 ORDER BY min(place)`;
  return rows.map(({ network }) => network);
}

/** Gives what the channel may call from now as Postgres writes it: networks without the bits of a host. */
export async function replaceNetworks(
  tx: Tx,
  channelId: string,
  networks: readonly string[],
): Promise<readonly string[]> {
  await tx.$executeRaw`
    UPDATE channel SET networks = ARRAY(SELECT DISTINCT network(given::inet)::inet FROM unnest(${[...networks]}::text[]) given)
     WHERE id = ${channelId}::uuid`;
  const row = await tx.channel.findUniqueOrThrow({ where: { id: channelId }, select: { networks: true } });
  return row.networks;
}

/** Whether calls are now allowed from somewhere they were not. No networks at all means everywhere. */
export async function widensNetworks(
  tx: Tx,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<boolean> {
  if (before.length === 0 || after.length === 0) return before.length > 0;
  const [row] = await tx.$queryRaw<{ wider: boolean }[]>`
    SELECT EXISTS (SELECT FROM unnest(${[...after]}::text[]) new
                    WHERE NOT EXISTS (SELECT FROM unnest(${[...before]}::text[]) old WHERE network(new::inet) <<= old::inet)) AS wider`;
  return row?.wider ?? true;
}

/** Returns when it expires, by the database's clock. */
export async function insertKey(tx: Tx, { id, channelId, secretHash, lastFour, keyDays }: NewKey): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ expires_at: Date }]>`
    INSERT INTO channel_key (id, channel_id, kind, secret_hash, last_four, expires_at)
    VALUES (${id}, ${channelId}::uuid, 'key', ${Uint8Array.from(secretHash)}, ${lastFour},
            clock_timestamp() + make_interval(days => ${keyDays}::int))
    RETURNING expires_at`;
  return row.expires_at;
}

/** Makes a key expire within these seconds, unless it expires sooner. */
export async function shortenKey(
  tx: Tx,
  { channelId, keyId, seconds }: { channelId: string; keyId: string; seconds: number },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE channel_key
       SET expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${seconds}::int))
     WHERE id = ${keyId} AND channel_id = ${channelId}::uuid`;
}

/** Applies to every call that is admitted after the commit. */
export async function markKeyRevoked(
  tx: Tx,
  { channelId, keyId }: { channelId: string; keyId: string },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE channel_key SET revoked_at = clock_timestamp()
     WHERE id = ${keyId} AND channel_id = ${channelId}::uuid AND revoked_at IS NULL`;
}

const include = {
  channelKeys: { orderBy: { createdAt: "asc" } },
  channelPractices: {
    include: { practice: { select: { id: true, name: true } } },
    orderBy: { practice: { name: "asc" } },
  },
} as const;

async function readChannel(db: Tx, id: string): Promise<ChannelRecord | undefined> {
  const row = await db.channel.findUnique({ where: { id }, include });
  return row ? rowToChannel(row, await readBeside(db, [row])) : undefined;
}

type Beside = {
  readonly owners: readonly Owner[];
  readonly awaited: ReadonlyMap<string, readonly string[]>;
  readonly now: Date;
};

/** What is read beside the rows of channels. */
async function readBeside(db: Tx, rows: readonly Row[]): Promise<Beside> {
  const reachingNone = rows.filter((row) => row.channelPractices.length === 0).map(({ id }) => id);
  return {
    owners: await ownersOf(db, rows),
    awaited: await practicesAwaitedBy(db, reachingNone),
    now: await databaseNow(db),
  };
}

async function databaseNow(db: Tx): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}

type Row = {
  id: string;
  name: string;
  status: string;
  environment: string;
  atoms: string[];
  networks: string[];
  callsPerSecond: number | null;
  callsAtOnce: number | null;
  createdAt: Date;
  ownerId: string | null;
  channelPractices: { practice: { id: string; name: string } }[];
  channelKeys: KeyRow[];
};

type KeyRow = {
  id: string;
  kind: string;
  lastFour: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  generation: number;
  jwks: string | null;
  jwksUrl: string | null;
};

type Owner = NonNullable<ChannelRecord["owner"]>;

function ownersOf(db: Tx, rows: readonly Row[]): Promise<readonly Owner[]> {
  const ids = rows.flatMap(({ ownerId }) => ownerId ?? []);
  return db.person.findMany({ where: { id: { in: ids } }, select: { id: true, name: true, email: true } });
}

function rowToChannel(row: Row, { owners, awaited, now }: Beside): ChannelRecord {
  return {
    id: row.id,
    name: row.name,
    status: knownWord(["active", "suspended"], row.status, "channel.status"),
    environment: knownWord(environments, row.environment, "channel.environment"),
    atoms: row.atoms.map((atom) => knownWord(atoms, atom, "channel.atoms")),
    awaited: awaited.get(row.id) ?? [],
    networks: row.networks,
    callsPerSecond: row.callsPerSecond ?? undefined,
    callsAtOnce: row.callsAtOnce ?? undefined,
    practices: row.channelPractices.map(({ practice }) => practice),
    keys: row.channelKeys.flatMap((key) => (key.kind === "client" ? [] : [rowToKey(key, now)])),
    client: row.channelKeys.flatMap((key) => rowToClient(key, now)).at(-1),
    owner: owners.find(({ id }) => id === row.ownerId),
    createdAt: row.createdAt,
  };
}

function rowToKey(row: KeyRow, now: Date): KeyRecord {
  const { id, lastFour, createdAt, expiresAt, revokedAt, lastUsedAt } = row;
  return {
    id,
    lastFour,
    createdAt,
    expiresAt,
    revokedAt: revokedAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    live: revokedAt === null && expiresAt > now,
  };
}

/** The client, unless it was removed. */
function rowToClient(row: KeyRow, now: Date): readonly ClientRecord[] {
  if (row.jwks === null || row.revokedAt !== null) return [];
  const { lastFour: _, ...key } = rowToKey(row, now);
  // Safe because only what `readClientKeys` returned is stored.
  const { keys } = JSON.parse(row.jwks) as { keys: { kid: string; n?: string }[] };
  const moduli =
    row.jwksUrl === null ? keys.flatMap(({ n }) => (n === undefined ? [] : [Buffer.from(n, "base64url")])) : [];
  const rsaBits = moduli.length === 0 ? undefined : Math.min(...moduli.map(({ length }) => length * 8));
  const kids = keys.map(({ kid }) => kid);
  return [{ ...key, generation: row.generation, kids, url: row.jwksUrl ?? undefined, rsaBits }];
}

/** How many keys of channels are neither revoked nor expired. */
export async function countLiveKeys(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM channel_key WHERE revoked_at IS NULL AND expires_at > clock_timestamp()`;
  return row?.count ?? 0;
}
