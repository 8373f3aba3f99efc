import pg from "pg";
import { grantConnecting } from "../../../scripts/database/roles.ts";
import { urlOf } from "../../../scripts/database/postgres.mjs";

/** `ownerUrl` may change the schema; `appUrl` is what the application itself connects with. */
export type TestDatabase = { readonly ownerUrl: string; readonly appUrl: string };

type Cluster = {
  readonly run: number;
  readonly adminUrl: string;
  readonly template: string;
  readonly owner: string;
  readonly app: string;
  readonly password: string;
};

/** The clone of the migrated template with this name; made when it is first asked for, dropped at the end of the run. */
export async function cloneNamed(label: string): Promise<TestDatabase> {
  const { adminUrl, template, owner, app, password } = cluster();
  const database = databaseNamed(label);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    // Page by page, through the log, takes ten times as long.
    if (rowCount === 0)
      await admin.query(`CREATE DATABASE ${database} TEMPLATE ${template} OWNER ${owner} STRATEGY FILE_COPY`);
    await grantConnecting(admin, { database, user: app });
  } finally {
    await admin.end();
  }
  const port = Number(new URL(adminUrl).port);
  return {
    ownerUrl: urlOf({ port, user: owner, password, database }),
    appUrl: urlOf({ port, user: app, password, database }),
  };
}

/** A clone as `cloneNamed`'s, in place of one that has this name already. */
export async function cloneAnew(label: string): Promise<TestDatabase> {
  await dropNamed(databaseNamed(label));
  return await cloneNamed(label);
}

/** For what even the owner of the tables may not do. */
export function superuserUrl({ ownerUrl }: TestDatabase): string {
  const url = new URL(cluster().adminUrl);
  url.pathname = new URL(ownerUrl).pathname;
  return url.href;
}

export const dropClone = ({ ownerUrl }: TestDatabase): Promise<void> => dropNamed(new URL(ownerUrl).pathname.slice(1));

const databaseNamed = (label: string) => `clone_${cluster().run}_${label}`;

async function dropNamed(database: string): Promise<void> {
  const admin = new pg.Client({ connectionString: cluster().adminUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  await admin.end();
}

function cluster(): Cluster {
  const described = process.env.TEST_CLUSTER;
  if (described === undefined)
    throw new Error("This test needs a database: name its file *.store.test.ts and run it with `npm run test:unit`.");
  // Safe because only test/support/database/cluster.ts and scripts/checks/test.mjs write it.
  return JSON.parse(described) as Cluster;
}
