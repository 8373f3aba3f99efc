import { type Connection, type PoolClient, Query, type QueryConfig, type QueryResult } from "pg";
import type { Statement } from "./statement.ts";
import { describedOnce } from "./tenant-scope.ts";

/** A statement under way, with what `pg` calls as its answers come; the types of `pg` leave all of it out. */
type Part = {
  readonly name?: string;
  readonly text: string;
  readonly _result: { _types: unknown };
  readonly submit: (connection: Connection) => Error | null;
  readonly handleRowDescription: (message: unknown) => void;
  readonly handleDataRow: (message: unknown) => void;
  readonly handleCommandComplete: (message: unknown, connection: Connection) => void;
  readonly handleReadyForQuery: (connection: Connection) => void;
  handleError: (error: unknown, connection: Connection) => void;
};

/**
 * Statements that go to Postgres in one write, and are carried out one after the other as if each were alone. The first
 * that fails is the last that is carried out, and those behind it fail as it did: so what was written is never committed
 * by a statement behind one that failed.
 */
export function inOneRoundTrip(client: PoolClient, statements: readonly Statement[]): readonly Promise<QueryResult>[] {
  const askings = statements.map((statement) => partOf(client, statement));
  const answers = askings.map(({ answer }) => answer);
  client.query(
    tripOf(
      askings.map(({ part }) => part),
      Promise.all(answers),
    ),
  );
  return answers;
}

function partOf(client: PoolClient, { name, text, values }: Statement) {
  const { promise: answer, resolve, reject } = Promise.withResolvers<QueryResult>();
  // Whoever waits for one of them need not wait for the others.
  answer.catch(() => undefined);
  const done = (error: Error | null | undefined, result: unknown) =>
    // Safe because `pg` gives one result for one statement.
    error ? reject(error) : resolve(result as QueryResult);
  // Safe because `pg` supports `queryMode`, which its types omit; it forces the extended protocol even without values.
  const config = { ...(name ? { name } : {}), text, values: [...values], queryMode: "extended" } as QueryConfig;
  // Safe because these are members of every query of `pg`.
  const part = describedOnce(new Query(config, undefined, done)) as unknown as Part;
  // Safe because every client of `pg` reads the types of columns by these.
  part._result._types = (client as unknown as { readonly _types: unknown })._types;
  return { part, answer };
}

/** What `pg` takes for one query, of which the answers go to the parts in turn. */
function tripOf(parts: readonly Part[], settled: Promise<unknown>) {
  let current = 0;
  const fail = (error: unknown, connection: Connection) => {
    for (const part of parts.slice(current)) {
      forget(part, connection);
      part.handleError(error, connection);
    }
    current = parts.length;
  };
  return {
    /** Resolves once all are carried out, and rejects as the first that fails. */
    settled,
    statements: parts.map(({ text }) => text),
    // `pg` notes under these what a connection has read, as the answers come.
    get name() {
      return parts[current]?.name;
    },
    get text() {
      return parts[current]?.text;
    },
    submit: (connection: Connection) => {
      connection.stream.cork();
      const problem = problemIn(parts, unsynced(connection));
      if (problem) connection.stream.destroy(problem);
      else connection.sync();
      connection.stream.uncork();
      return null;
    },
    handleRowDescription: (message: unknown) => parts[current]?.handleRowDescription(message),
    handleDataRow: (message: unknown) => parts[current]?.handleDataRow(message),
    handleCommandComplete: (message: unknown, connection: Connection) => {
      const part = parts[current];
      current += 1;
      part?.handleCommandComplete(message, connection);
      part?.handleReadyForQuery(connection);
    },
    handleReadyForQuery: (connection: Connection) => fail(new Error("A statement has no answer."), connection),
    handleError: fail,
  };
}

/** Writes the parts. With a problem something is written already, so that nothing else may be asked of the connection. */
function problemIn(parts: readonly Part[], connection: Connection): Error | undefined {
  for (const part of parts) {
    let problem: Error | undefined;
    const { handleError } = part;
    // Safe because what `pg` says here is that a value cannot be written.
    part.handleError = (error) => void (problem = error as Error);
    const refused = part.submit(connection);
    part.handleError = handleError;
    if (refused ?? problem) return refused ?? problem;
  }
  return undefined;
}

/** What is behind one that failed was sent and not read, so under its name nothing is known. */
function forget({ name }: Part, connection: Connection): void {
  // Safe because every connection of `pg` has these.
  const { submittedNamedStatements: sent } = connection as unknown as { submittedNamedStatements: object };
  if (name !== undefined) Reflect.deleteProperty(sent, name);
}

const unsyncedOf = new WeakMap<Connection, Connection>();

/** The same connection, over which no part ends the trip. */
function unsynced(connection: Connection): Connection {
  const known = unsyncedOf.get(connection);
  if (known) return known;
  // Safe because it is the connection, all but one of its ways to ask.
  const made = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
  unsyncedOf.set(connection, made);
  return made;
}
