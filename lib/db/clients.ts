import pg, { type ClientConfig, type Connection } from "pg";
import { databaseUrls } from "#lib/platform/process/database-url";
import { assert } from "#lib/platform/result";

/** The server that was reached is a standby. Nothing was asked. */
export class NotPrimaryError extends Error {
  override readonly name = "NotPrimaryError";
}

/** The class of client with which a pool, or anybody, connects to the primary among the hosts of a URL. */
export type ClientClass = new (config?: ClientConfig) => pg.Client;

/** As Postgres 14 and later say it of themselves, without being asked, to whoever connects. */
type ParameterStatus = { readonly parameterName: string; readonly parameterValue: string };

/** The parts of `pg` that its types leave out. */
type Connecting = { readonly connection: Connection };

type OnConnect = (error: Error | null | undefined) => void;

/**
 * Clients of the database at a URL, whose own connection settings are not to be given. With several hosts each client
 * tries one of them: the one that was reached last, and after a failure or a standby the one behind it. So a caller who
 * tries again finds the primary wherever it is.
 */
export function clientsOf(url: string): ClientClass {
  const hosts = databaseUrls(url)?.map(({ href }) => href);
  assert(hosts, "the URL of a database is checked before it is used");
  const [only, ...others] = hosts;
  return only !== undefined && others.length === 0 ? clientsAt(only) : clientsAtAny(hosts);
}

function clientsAt(connectionString: string): ClientClass {
  return class extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionString });
    }
  };
}

function clientsAtAny(hosts: readonly string[]): ClientClass {
  let current = 0;
  return class extends pg.Client {
    readonly #host = current;
    #isStandby = false;

    constructor(config?: ClientConfig) {
      super({ ...config, connectionString: hosts[current] });
      // Safe because every client of `pg` has its connection from the start.
      const { connection } = this as unknown as Connecting;
      connection.on("parameterStatus", ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
        if (name === "in_hot_standby") this.#isStandby = value === "on";
      });
    }

    override connect(): Promise<pg.Client>;
    override connect(done: OnConnect): void;
    override connect(done?: OnConnect): Promise<pg.Client> | void {
      if (!done)
        return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
      super.connect((error: Error | null) => {
        const problem = error ?? (this.#isStandby ? new NotPrimaryError("The server is a standby.") : null);
        if (problem && this.#host === current) current = (current + 1) % hosts.length;
        if (problem && !error) this.end().catch(() => undefined);
        done(problem);
      });
    }
  };
}
