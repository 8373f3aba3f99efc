import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientBase, type Connection, type Pool, type PoolClient, Query, escapeLiteral } from "pg";
import { noChannel } from "#lib/access/model/no-channel";
import { binaryArray } from "#lib/platform/clever/binary-array";
import { onlyReads, textOf, retried } from "./retry.ts";
import type { Statement } from "./statement.ts";
import { noteClient } from "./transaction-client.ts";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/** What `app.practices` holds where a statement acts across practices; only `acrossPractices` sets it. */
export const everyPractice = "{*}";

/** The practices a statement may see and write: these, or all. */
export type TenantScope = readonly string[] | typeof everyPractice;

/** Sets the practices of a transaction, which the tables' policies read. */
export function scopeStatement(scope: TenantScope): string {
  return scopeStatementOf(scopeText(scope));
}

/** The same, of a scope as `app.practices` holds it. */
function scopeStatementOf(practices: string): string {
  return `SET LOCAL app.practices = ${escapeLiteral(practices)}`;
}

/** A scope as `app.practices` holds it. A practice named `*` is quoted, so a list never reads as all of them. */
export function scopeText(scope: TenantScope): string {
  return scope === everyPractice ? everyPractice : arrayText(scope);
}

/** All that those who ask in one statement reach together. */
export function scopeTextOfAll(asks: readonly { readonly scope: TenantScope | undefined }[]): string {
  const practices = new Set<string>();
  for (const { scope = [] } of asks) {
    if (scope === everyPractice) return everyPractice;
    for (const practice of scope) practices.add(practice);
  }
  return scopeText([...practices]);
}

/** The one practice of a scope that names no other. */
export function onlyPractice(scope: TenantScope | undefined): string | undefined {
  return scope !== everyPractice && scope?.length === 1 ? scope[0] : undefined;
}

/** A list as Postgres writes an array of text. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

/** By a function of the database's owner: the rows that say what a key reaches are behind the wall themselves. */
const reachOf = (answered: string) => `SELECT set_config('app.practices', ${answered}, '${noChannel}'), true)`;

/** Longest that a statement of many practices waits for a lock of one of them. */
const hastyLockMs = 300;

/** Longest that a statement may take in a transaction that several changes share. */
export const sharedStatementMs = 1_000;

/** The statements that say the practices of the one after them, on every connection. */
const scopeStatements = {
  practices: { name: "say-practices", text: "SELECT set_config('app.practices', $1, true)", takes: 1 },
  /** And wait for no lock for long. */
  practicesInHaste: {
    name: "say-practices-in-haste",
    text: `SELECT set_config('app.practices', $1, true), set_config('lock_timeout', '${hastyLockMs}', true)`,
    takes: 1,
  },
  /** And let no statement take long, whatever it waits for. */
  practicesShared: {
    name: "say-practices-shared",
    text: `SELECT set_config('app.practices', $1, true), set_config('lock_timeout', '${hastyLockMs}', true),
                  set_config('statement_timeout', '${sharedStatementMs}', true)`,
    takes: 1,
  },
  /** Of one key, as plain parameters: a list of one costs half as much again. */
  reachOfOne: {
    name: "say-reach-of-one",
    text: reachOf("practices_of_key($1::text, $2::bytea"),
    takes: 2,
  },
  reach: {
    name: "say-reach",
    text: reachOf("practices_of_keys($1::text[], $2::bytea[]"),
    takes: 2,
  },
  /** Of what the keys reach, the practices that the calls name. */
  namedOfOne: {
    name: "say-named-of-one",
    text: reachOf("practice_of_key($1::text, $2::bytea, $3::text"),
    takes: 3,
  },
  named: {
    name: "say-named",
    text: reachOf("practices_of_keys_named($1::text[], $2::bytea[], $3::text[]"),
    takes: 3,
  },
} as const;

/** Says the practices of a transaction, as a statement of it. */
export function sayingPractices(practices: string, kind: "practices" | "practicesShared" = "practices"): Statement {
  const { name, text } = scopeStatements[kind];
  return { name, text, values: [practices] };
}

type ScopeKind = keyof typeof scopeStatements;

/**
 * Makes a connection ready for statements that say their practices first; once, before anybody is given it. What it
 * gives back is a promise, which the pool waits for although its types leave that out.
 */
export function prepareScopes(client: ClientBase): unknown {
  return prepareSayings(client);
}

/** Each alone is a transaction, so that what it says is over with it. */
async function prepareSayings(client: ClientBase): Promise<void> {
  for (const { takes, ...statement } of Object.values(scopeStatements)) {
    await client.query({ ...statement, values: Array.from({ length: takes }, () => "{}") });
  }
}

/** The parts of a statement under way that `pg` calls as answers come; its types leave them out. */
type QueryHandlers = {
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Connection) => void;
};

/**
 * A statement that says the practices it may see and write before it is carried out, in its own round trip: both go to
 * Postgres at once and are one transaction there, so that nothing of it is left on the connection, and where the saying
 * fails the statement is not carried out at all.
 */
export function withTenantScope(practices: string, ...args: ConstructorParameters<typeof Query>): Query {
  return after("practices", [practices], args);
}

/** The same, for a statement of many practices: it fails where a lock of one of them is not had at once. */
export function withHastyTenantScope(practices: string, ...args: ConstructorParameters<typeof Query>): Query {
  return after("practicesInHaste", [practices], args);
}

/** A key by its id and the hash of the secret somebody brought. */
type PresentedKey = { readonly keyId: string; readonly secretHash: Uint8Array };

/** The same, of the practices that the channels of these keys reach; a key with another's secret reaches none. */
export function withReachScope(keys: readonly PresentedKey[], ...args: ConstructorParameters<typeof Query>): Query {
  const [only, ...others] = keys;
  if (only && others.length === 0) return after("reachOfOne", [only.keyId, Buffer.from(only.secretHash)], args);
  return after("reach", listsOf(keys), args);
}

type NamingKey = PresentedKey & { readonly practiceId: string };

/** The same, where each key names a practice: of those alone. */
export function withNamedScope(keys: readonly NamingKey[], ...args: ConstructorParameters<typeof Query>): Query {
  const [only, ...others] = keys;
  if (only && others.length === 0)
    return after("namedOfOne", [only.keyId, Buffer.from(only.secretHash), only.practiceId], args);
  const practices = keys.map(({ practiceId }) => practiceId);
  return after("named", [...listsOf(keys), binaryArray("text", practices)], args);
}

function listsOf(keys: readonly PresentedKey[]): [ids: Buffer, hashes: Buffer] {
  const [ids, hashes] = [keys.map(({ keyId }) => keyId), keys.map(({ secretHash }) => secretHash)];
  return [binaryArray("text", ids), binaryArray("bytea", hashes)];
}

function after(
  kind: ScopeKind,
  values: readonly (string | Buffer)[],
  args: ConstructorParameters<typeof Query>,
): Query {
  const [statement, ...more] = args;
  const config = typeof statement === "string" ? { text: statement } : statement;
  // Safe because saying is of the extended protocol, which any single statement may be of.
  const query = describedOnce(new Query({ ...config, queryMode: "extended" } as typeof statement, ...more));
  // Safe because `pg` calls exactly these on every query of its own.
  const { submit, handleDataRow, handleCommandComplete } = query as Query & QueryHandlers;
  let isScoped = false;
  return Object.assign(query, {
    submit: (connection: Connection) => {
      connection.stream.cork();
      connection.bind({ statement: scopeStatements[kind].name, values: [...values] }, true);
      connection.execute({}, true);
      const problem = submit.call(query, connection);
      connection.stream.uncork();
      return problem;
    },
    handleDataRow: (message: unknown) => {
      if (isScoped) handleDataRow.call(query, message);
    },
    handleCommandComplete: (message: unknown, connection: Connection) => {
      if (isScoped) handleCommandComplete.call(query, message, connection);
      isScoped = true;
    },
  });
}

/** Asks a pool for such a statement; again where it left nothing done, or only reads. */
export function queryInScope(
  pool: Pool,
  practices: string,
  args: ConstructorParameters<typeof Query>,
): Promise<unknown> {
  const text = textOf(args[0]);
  const repeatable = text !== undefined && onlyReads(text);
  return retried(() => resultOf(pool, withTenantScope(practices, ...args)), { repeatable });
}

/** What a pool answers such a statement with. */
export function resultOf<Row>(pool: Pool, query: Query): Promise<{ readonly rows: readonly Row[] }> {
  // Safe because a pool that is given a statement without a callback promises its result, which its types leave out.
  return pool.query(query) as unknown as Promise<{ readonly rows: readonly Row[] }>;
}

/** The one of this process, because the server's copy of this module opened the pool that listens. */
const scopeOfCall = onePerProcess("tenant-scope", () => new AsyncLocalStorage<string>());

/** What `run` asks for says its own practices, whatever is said around it. */
export function outsideTenantScope<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  return scopeOfCall.exit(run);
}

/** Whatever statement is asked for by `run` alone and of a pool that `listens`, says these practices first. */
export function inTenantScope<Answer>(practices: string, run: () => Promise<Answer>): Promise<Answer> {
  return scopeOfCall.run(practices, run);
}

/**
 * The same pool for Prisma. A statement names the practices of the call it was made in, and so does a transaction as it
 * begins.
 */
export function scopedPool(pool: Pool): Pool {
  const query = (...args: ConstructorParameters<typeof Query>) => {
    const practices = scopeOfCall.getStore();
    return practices === undefined ? pool.query(...(args as [string])) : queryInScope(pool, practices, args);
  };
  const connect = async () => {
    const practices = scopeOfCall.getStore();
    const client = await pool.connect();
    const scoped = practices === undefined ? client : beginningInScope(client, practices);
    const onEnd = noteClient(client);
    return onEnd ? heldUntilEnd(scoped, onEnd) : scoped;
  };
  return bound(pool, (key) => (key === "query" ? query : key === "connect" ? connect : undefined));
}

/** A connection whose transaction names its practices as it begins, in the same round trip. */
function beginningInScope(client: PoolClient, practices: string): PoolClient {
  // Safe because Prisma asks for promises, and for nothing of what `BEGIN` gives.
  const ask = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const query = (...args: readonly unknown[]) =>
    textOf(args[0]) === "BEGIN" ? ask(`BEGIN; ${scopeStatementOf(practices)}`) : ask(...args);
  return bound(client, (key) => (key === "query" ? query : undefined));
}

/** What ends a transaction, as Prisma says it. */
const endings: ReadonlySet<string | undefined> = new Set(["COMMIT", "ROLLBACK"]);

/**
 * A connection of which somebody hears when its transaction is told to end, and when it is given back: whatever they asked
 * over it after that would be carried out by itself, or in a transaction of somebody else.
 */
function heldUntilEnd(client: PoolClient, onEnd: () => void): PoolClient {
  // Safe because Prisma asks for promises.
  const ask = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const query = (...args: readonly unknown[]) => {
    if (endings.has(textOf(args[0]))) onEnd();
    return ask(...args);
  };
  const release = (...args: Parameters<PoolClient["release"]>) => {
    onEnd();
    client.release(...args);
  };
  return bound(client, (key) => (key === "query" ? query : key === "release" ? release : undefined));
}

/** The same object with some of its members replaced. */
function bound<Of extends object>(of: Of, replaced: (key: string | symbol) => unknown): Of {
  return new Proxy(of, {
    get: (target, key) => {
      const own = replaced(key);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** How the rows of a statement are read: the parts of a result that `pg` makes of a description. Its types leave them out. */
type Shape = Readonly<Record<"fields" | "_parsers" | "_prebuiltEmptyResultObject", unknown>>;

type Describable = Query & {
  readonly name?: string | undefined;
  readonly types?: unknown;
  readonly _result: Shape;
  readonly handleRowDescription: (message: unknown) => void;
};

/** A connection as what is sent without asking for a description sees it, and the statements it described. */
type Description = { readonly asking: Connection; readonly shapes: Map<string, Shape> };

const connections = new WeakMap<Connection, Description>();

/**
 * Has Postgres describe a named statement once on each connection. What a prepared statement gives never changes there:
 * Postgres refuses to carry it out where its tables did. To describe dozens of columns and to read that takes longer
 * than to read the row.
 */
export function describedOnce(statement: Query): Query {
  // Safe because `pg` has these on every query of its own.
  const query = statement as Describable;
  const { name, submit, handleRowDescription } = query;
  // Without a name it is another statement each time, and who brings readers of types may bring others.
  if (!name || query.types) return query;
  let described: Description | undefined;
  return Object.assign(query, {
    submit: (connection: Connection) => {
      described = describedOn(connection);
      const shape = described.shapes.get(name);
      if (!shape) return submit.call(query, connection);
      Object.assign(query._result, shape);
      Object.assign(query, { _accumulateRows: true });
      return submit.call(query, described.asking);
    },
    handleRowDescription: (message: unknown) => {
      handleRowDescription.call(query, message);
      const { fields, _parsers, _prebuiltEmptyResultObject } = query._result;
      described?.shapes.set(name, { fields, _parsers, _prebuiltEmptyResultObject });
    },
  });
}

function describedOn(connection: Connection): Description {
  const known = connections.get(connection);
  if (known) return known;
  // Safe because it is the connection, all but one of its ways to ask.
  const asking = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  const described = { asking, shapes: new Map<string, Shape>() };
  connections.set(connection, described);
  return described;
}
