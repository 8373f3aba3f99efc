import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
} from "node:fs";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { openCluster, urlOf } from "../../../scripts/database/postgres.mjs";
import { until } from "../service.ts";

type Cluster = Awaited<ReturnType<typeof openCluster>>;

const password = "for-this-drill-alone";
const roles = { owner: "drill_owner", app: "drill_app", database: "drill" } as const;

/** A Postgres that archives its write-ahead log, on a disk that keeps what it commits. */
export class ArchivedCluster {
  readonly folder: string;
  readonly archive: string;
  cluster: Cluster;

  private constructor(folder: string, cluster: Cluster) {
    this.folder = folder;
    this.archive = join(folder, "archive");
    this.cluster = cluster;
  }

  static async open(): Promise<ArchivedCluster> {
    const folder = mkdtempSync(join(tmpdir(), "restore-drill-"));
    // Postgres may run as somebody else than we do.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "archive"));
    chmodSync(join(folder, "archive"), 0o777);
    const made = new ArchivedCluster(folder, await openAt(folder, "primary"));
    await made.ask(
      "ALTER SYSTEM SET archive_mode = on",
      `ALTER SYSTEM SET archive_command = 'test ! -f ${made.archive}/%f && cp %p ${made.archive}/%f'`,
      "ALTER SYSTEM SET archive_timeout = '5s'",
      `CREATE ROLE ${roles.owner} LOGIN CREATEROLE PASSWORD '${password}'`,
      `CREATE DATABASE ${roles.database} OWNER ${roles.owner}`,
    );
    await made.cluster.stop();
    made.cluster = await openAt(folder, "primary");
    return made;
  }

  url(whose: "owner" | "app"): string {
    return urlOf({ port: this.cluster.port, user: roles[whose], password, database: roles.database });
  }

  async ask(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.cluster.url });
    await client.connect();
    try {
      let rows: readonly Record<string, unknown>[] = [];
      for (const sql of statements) ({ rows } = await client.query(sql));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** A base backup by Postgres's own backup interface, as pg_basebackup makes it, while others write. */
  async takeBackup(): Promise<void> {
    const client = new pg.Client({ connectionString: this.cluster.url });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('drill', true)");
      const to = join(this.folder, "backup");
      copyTree(realpathSync(join(this.folder, "primary")), to);
      const { rows } = await client.query<{ label: string }>("SELECT labelfile AS label FROM pg_backup_stop()");
      writeFileSync(join(to, "backup_label"), rows[0]?.label ?? "");
    } finally {
      await client.end();
    }
  }

  /** Waits until everything up to now is in the archive. */
  async untilArchived(): Promise<void> {
    const [last] = await this.ask("SELECT pg_walfile_name(pg_switch_wal()) AS name");
    await until("the archived log", async () => readdirSync(this.archive).includes(String(last?.["name"])));
  }

  kill(): void {
    process.kill(this.cluster.pid, "SIGKILL");
  }

  /** From the backup and the archive to a moment; the killed cluster's files are not touched. */
  async restore(to: string): Promise<void> {
    // What a new folder is made of, a cluster's own folder and identity, is replaced by the backup.
    const there = await openAt(this.folder, "restored");
    await there.stop();
    const place = realpathSync(join(this.folder, "restored"));
    const { uid, gid } = lstatSync(place);
    for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true });
    copyTree(join(this.folder, "backup"), place);
    const settings = [
      `restore_command = 'cp ${this.archive}/%f %p'`,
      `recovery_target_time = '${to.replace("T", " ").replace("Z", "+00")}'`,
      "recovery_target_action = 'promote'",
      // The drill's own archive stays as the disaster left it.
      "archive_mode = off",
    ];
    appendFileSync(join(place, "postgresql.auto.conf"), `${settings.join("\n")}\n`);
    writeFileSync(join(place, "recovery.signal"), "");
    for (const name of ["recovery.signal", "backup_label"]) chownSync(join(place, name), uid, gid);
    this.cluster = await openAt(this.folder, "restored");
    const promoted = async () => (await this.ask("SELECT pg_is_in_recovery() AS still"))[0]?.["still"] === false;
    await until("the restored database", promoted);
  }

  async close(): Promise<void> {
    await this.cluster.stop().catch(() => undefined);
    for (const name of ["primary", "restored"]) {
      const place = join(this.folder, name);
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        rmSync(join(realpathSync(place), ".."), { recursive: true, force: true });
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function openAt(folder: string, name: string): Promise<Cluster> {
  const log = join(folder, `${name}.log`);
  return openCluster({ folder: join(folder, name), log, password, port: undefined, settings: {} });
}

/** With owners and modes; what goes while it is copied is left out, as the log of writes makes it whole. */
function copyTree(from: string, to: string): void {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) if (!isLeftOut(from, name)) copyTree(join(from, name), join(to, name));
  } else if (stat.isFile()) {
    try {
      copyFileSync(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
  } else return;
  chmodSync(to, stat.mode & 0o7777);
  if (process.getuid?.() === 0) chownSync(to, stat.uid, stat.gid);
}

/** What Postgres's manual says a base backup does without. */
function isLeftOut(folder: string, name: string): boolean {
  return (
    ["postmaster.pid", "postmaster.opts"].includes(name) ||
    ["pg_wal", "pg_replslot", "pg_notify"].some((part) => folder.endsWith(`/${part}`) && name !== "archive_status")
  );
}
