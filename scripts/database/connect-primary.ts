import type pg from "pg";
import { clientsOf } from "../../lib/db/clients.ts";
import { databaseUrls } from "../../lib/platform/process/database-url.ts";

/** A connection to the primary among the hosts of a URL, each of which is tried once. */
export async function connectPrimary(url: string, config: pg.ClientConfig): Promise<pg.Client> {
  const Client = clientsOf(url);
  let problem: unknown;
  for (const _ of databaseUrls(url) ?? []) {
    const client = new Client({ connectionTimeoutMillis: 10_000, ...config });
    // Of a connection that is lost the next statement tells.
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      problem = error;
      await client.end().catch(() => {});
    }
  }
  throw problem;
}
