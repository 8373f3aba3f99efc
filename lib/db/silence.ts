import type { Socket } from "node:net";
import type { ClientBase, Connection, Pool } from "pg";

/** Longest a statement may take; Postgres ends it then, and says so. */
export const statementMs = 3_500;

/** Longest a lock is waited for at once, and by those who try again after that. */
export const lockMs = 2_000;

/** Longest a connection may say nothing while a statement on it is unanswered. Longer than any may take. */
export const silentMs = 4_000;

/** How long one who seems silent is listened to once more. */
const graceMs = 500;

/** The way to the database says nothing any more. What was asked may have been done. */
export class DatabaseSilentError extends Error {
  override readonly name = "DatabaseSilentError";
}

/** The parts of a client that its types leave out. */
type WatchedClient = ClientBase & {
  readonly connection: Connection & { readonly stream: Socket };
  readonly readyForQuery: boolean;
};

/**
 * What a pool calls with each connection it made: from then on the connection is given up once it has said nothing for
 * `afterMs` while a statement on it was unanswered, and everything under way on it fails. `pg`'s own `query_timeout`
 * would leave the connection to the next one who asks, who would wait behind the same statement. With it go those that
 * are idle and were not heard since, which fell silent in the same moment more likely than not.
 */
export function givingUpSilent(afterMs: number): {
  readonly watch: (client: ClientBase) => void;
  readonly over: (pool: Pool) => void;
} {
  const idleSince = new Map<ClientBase, number>();

  function giveUpIdle(): void {
    const before = performance.now() - afterMs;
    for (const [client, since] of idleSince) if (since < before) giveUp(client);
  }

  return {
    watch: (client) => watchOne(client, { afterMs, onSilent: giveUpIdle }),
    over: (pool) => {
      pool.on("release", (_, client) => void idleSince.set(client, performance.now()));
      pool.on("acquire", (client) => void idleSince.delete(client));
      pool.on("remove", (client) => void idleSince.delete(client));
    },
  };
}

function watchOne(client: ClientBase, { afterMs, onSilent }: { afterMs: number; onSilent: () => void }): void {
  const { stream } = (client as WatchedClient).connection;
  // An end that nobody hears is waited for as little as an answer.
  const isWaiting = () => !(client as WatchedClient).readyForQuery || stream.writableEnded;
  stream.setTimeout(afterMs);
  // Not given to `setTimeout`, which would hear it once only.
  stream.on("timeout", () => {
    if (!isWaiting()) return;
    const bytesBefore = stream.bytesRead;
    // Whoever was stopped for so long themselves finds their timers due before what has arrived meanwhile.
    const again = setTimeout(() => {
      if (!isWaiting() || stream.bytesRead !== bytesBefore) return;
      giveUp(client);
      onSilent();
    }, graceMs);
    again.unref();
  });
}

function giveUp(client: ClientBase): void {
  (client as WatchedClient).connection.stream.destroy(
    new DatabaseSilentError("The database said nothing for too long."),
  );
}
