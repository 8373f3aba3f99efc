import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { migrate } from "../../../scripts/database/migrate.ts";
import { openCluster, urlOf } from "../../../scripts/database/postgres.mjs";

const password = "for-this-test-alone";
const [owner, app, database] = ["replicated_owner", "replicated_app", "replicated"];

/** A primary and a standby that streams from it, behind one address. */
export type ReplicatedPair = {
  /** The application's, at the address that leads to whichever is the primary. */
  readonly appUrl: string;
  /** The owner's, or the application's, with both servers as its hosts: first the standby, then the primary. */
  readonly urlOfBoth: (whose: "owner" | "app") => string;
  /** Waits until the standby has everything, and cuts it off: what is written from now on it lacks. */
  readonly cutOff: () => Promise<void>;
  /** Says something to the primary, or to the standby, as its superuser. */
  readonly tell: (whom: "primary" | "standby", statements: readonly string[]) => Promise<readonly unknown[]>;
  /** The owner's role. */
  readonly owner: string;
  /** Ends the standby, and starts it again on its old files. */
  readonly stopStandby: () => Promise<void>;
  readonly startStandby: () => Promise<void>;
  /** Kills the primary, promotes the standby and lets the address lead to it. */
  readonly failOver: () => Promise<void>;
};

export async function aReplicatedDatabase(): Promise<ReplicatedPair> {
  const folder = mkdtempSync(join(tmpdir(), "replicated-"));
  const open = (name: string) =>
    openCluster({
      folder: join(folder, name),
      log: join(folder, `${name}.log`),
      password,
      port: undefined,
      settings: {},
    });
  const [primary, standby] = await Promise.all([made(await open("primary")), made(await open("standby"))]);
  onTestFinished(async () => {
    await Promise.all([primary.cluster.stop(), standby.cluster.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });
  await asSuperuser(primary.cluster.port, [
    `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`,
    `CREATE DATABASE ${database} OWNER ${owner}`,
  ]);
  const url = (user: string, port: number) => urlOf({ port, user, password, database });
  await migrate({ ownerUrl: url(owner, primary.cluster.port), appUrl: url(app, primary.cluster.port) });
  await Promise.all([primary.cluster.stop(), standby.cluster.stop()]);
  copyCluster(join(folder, "primary"), join(folder, "standby"));
  primary.cluster = await open("primary");
  standBy(join(folder, "standby"), primary.cluster.port);
  standby.cluster = await open("standby");
  const door = await aDoor(primary.cluster.port);
  return {
    appUrl: url(app, door.port),
    urlOfBoth: (whose) => {
      const [first, second] = [standby, primary].map(({ cluster }) => `127.0.0.1:${cluster.port}`);
      return url(whose === "owner" ? owner : app, 0).replace("127.0.0.1:0", `${first},${second}`);
    },
    cutOff: async () => {
      await expect.poll(() => lagBetween(primary.cluster.port, standby.cluster.port), { timeout: 30_000 }).toBe(0);
      await asSuperuser(standby.cluster.port, ["ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"]);
      const receivers = async () =>
        (await asSuperuser(standby.cluster.port, ["SELECT 1 FROM pg_stat_wal_receiver"])).length;
      await expect.poll(receivers, { timeout: 30_000 }).toBe(0);
    },
    tell: (whom, statements) => asSuperuser({ primary, standby }[whom].cluster.port, statements),
    owner,
    stopStandby: () => standby.cluster.stop(),
    startStandby: async () => {
      standby.cluster = await open("standby");
    },
    failOver: async () => {
      process.kill(primary.cluster.pid, "SIGQUIT");
      await asSuperuser(standby.cluster.port, ["SELECT pg_promote()"]);
      door.leadTo(standby.cluster.port);
    },
  };
}

type Cluster = Awaited<ReturnType<typeof openCluster>>;
const made = async (cluster: Cluster): Promise<{ cluster: Cluster }> => ({ cluster });

/** With their owners, whoever Postgres runs as here. */
function copyCluster(from: string, to: string): void {
  const there = realpathSync(to);
  for (const name of readdirSync(there)) rmSync(join(there, name), { recursive: true });
  execFileSync("cp", ["-a", `${realpathSync(from)}/.`, there]);
}

function standBy(folder: string, primaryPort: number): void {
  const there = realpathSync(folder);
  const primary = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password}`;
  appendFileSync(join(there, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
  writeFileSync(join(there, "standby.signal"), "");
}

async function asSuperuser(port: number, statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: urlOf({ port, user: "postgres", password, database: "postgres" }) });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const sql of statements) ({ rows } = await client.query(sql));
    return rows;
  } finally {
    await client.end();
  }
}

async function lagBetween(primaryPort: number, standbyPort: number): Promise<number> {
  const [written] = (await asSuperuser(primaryPort, ["SELECT pg_current_wal_lsn()::text AS lsn"])) as { lsn: string }[];
  const [replayed] = (await asSuperuser(standbyPort, [
    `SELECT greatest(pg_wal_lsn_diff('${written?.lsn}', pg_last_wal_replay_lsn()), 0)::int AS lag`,
  ])) as { lag: number }[];
  return replayed?.lag ?? Number.NaN;
}

/** A port that leads to another one; whoever is connected when that changes is cut off. */
async function aDoor(to: number) {
  let target = to;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const there = connect(target, "127.0.0.1");
    for (const socket of [from, there]) {
      sockets.add(socket);
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          from.destroy();
          there.destroy();
        });
    }
    from.pipe(there).pipe(from);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    // Safe because the server listens on a TCP port.
    port: (server.address() as AddressInfo).port,
    leadTo: (next: number) => {
      target = next;
      for (const socket of sockets) socket.destroy();
    },
  };
}
