import type { Connection, Query } from "pg";

/** How the rows of a statement are read: the parts of a result that `pg` makes of a description. Its types leave them out. */
type Shape = Readonly<Record<"fields" | "_parsers" | "_prebuiltEmptyResultObject", unknown>>;

type Describable = Query & {
  readonly name?: string | undefined;
  readonly types?: unknown;
  readonly _result: Shape;
  readonly handleRowDescription: (message: unknown) => void;
};

/** A connection as what is sent without asking for a description sees it, and the statements it described. */
type Described = { readonly asking: Connection; readonly shapes: Map<string, Shape> };

const connections = new WeakMap<Connection, Described>();

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
  let described: Described | undefined;
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

function describedOn(connection: Connection): Described {
  const known = connections.get(connection);
  if (known) return known;
  // Safe because it is the connection, all but one of its ways to ask.
  const asking = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  const described = { asking, shapes: new Map<string, Shape>() };
  connections.set(connection, described);
  return described;
}
