import { join } from "node:path";
import pg from "pg";
import { openCluster, urlOf } from "../../scripts/database/postgres.mjs";

/** Of every login of a rig. */
export const rigPassword = "for-this-rig-alone";

/** A Postgres of a rig's own with an empty database, for its owner to migrate. */
export async function openRigDatabase(folder: string) {
  const cluster = await openCluster({
    ...{ folder: join(folder, "postgres"), log: join(folder, "postgres.log") },
    ...{ password: rigPassword, port: undefined, settings: {} },
  });
  await asSuperuser(cluster.url, [
    `CREATE ROLE rig_owner LOGIN CREATEROLE PASSWORD '${rigPassword}'`,
    "CREATE DATABASE rig OWNER rig_owner",
  ]);
  const url = (user: "rig_owner" | "rig_app") =>
    urlOf({ port: cluster.port, user, password: rigPassword, database: "rig" });
  return { cluster, url };
}

/** What the last of these statements returns. */
export async function asSuperuser(
  url: string,
  statements: readonly string[],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}
