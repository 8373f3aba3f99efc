import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { stringify } from "yaml";
import { urlOf } from "../../../scripts/database/postgres.mjs";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { isGone } from "../../../scripts/processes/processes.mjs";
import { trouble } from "../../../scripts/processes/report.mjs";
import { askOver, Authority, type Certificate } from "../authority.ts";
import { startPgBouncer } from "../pgbouncer/config.ts";
import type { Programs, Running } from "../programs.ts";
import { until } from "../service.ts";
import { type DelayingDoor, openDoor } from "./delaying-door.ts";
import { etcdConfig, patroniConfig } from "./recipe.ts";
import { childrenOf } from "#test/support/processes/child-processes";

const password = "for-this-rig-alone";
export const [owner, app] = ["rig_owner", "rig_app"];
const database = "rig";

export const packages = {
  etcd: "etcd-server",
  patroni: "patroni",
  postgres: "postgresql-17",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  openssl: "openssl",
} as const;

/** Whom Debian's programs run as here, and so the superuser of their Postgres. */
const superuser = process.getuid?.() === 0 ? "nobody" : userInfo().username;

type Node = {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  /** By which the others replicate from it. */
  readonly door: DelayingDoor;
  /** Its file, as Patroni sees it. */
  readonly config: string;
  readonly data: string;
  process: Running | undefined;
};

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly lag?: number | string };

/** Three nodes of Patroni with etcd, behind HAProxy and PgBouncer, all on loopback. */
export class PatroniCluster {
  readonly #programs: Programs;
  readonly #authority: Authority;
  readonly #nodes: Node[] = [];
  readonly #others: Running[] = [];
  /** Leads to the primary, past PgBouncer. */
  primaryPort = 0;
  /** PgBouncer's. */
  pooledPort = 0;

  constructor(programs: Programs) {
    this.#programs = programs;
    this.#authority = new Authority(programs);
  }

  async start(): Promise<void> {
    await this.#authority.begin();
    const etcd = await this.#startEtcd();
    for (const name of ["db-1", "db-2", "db-3"]) {
      this.#nodes.push(await this.#makeNode(name, etcd));
      this.begin(name);
      // The first makes the cluster, and the others copy it.
      await until(`${name} as a member`, async () =>
        (await this.#members()).some((each) => each.name === name && isUp(each)),
      );
    }
    await this.untilWhole();
    this.primaryPort = await this.#startHaproxy();
    await this.untilWritable();
    await this.ask(
      `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`,
      `GRANT pg_read_all_stats TO ${owner}`,
      `CREATE DATABASE ${database} OWNER ${owner}`,
    );
  }

  /** After the migration, which makes the role that it lets in. */
  async startPgBouncer(): Promise<void> {
    this.pooledPort = await choosePort();
    const template = readFileSync("deploy/pgbouncer/pgbouncer.ini", "utf8");
    const to = { port: this.primaryPort, database, authority: this.#authority };
    const [login, port] = [{ user: app, password }, this.pooledPort];
    const certificate = await this.#authority.certify("pgbouncer", this.#programs.makeFolder("pgbouncer"), {
      isClient: false,
    });
    this.#others.push(startPgBouncer(this.#programs, template, { port, to, login, poolSize: 30, certificate }));
  }

  url(user: string, port = this.primaryPort): string {
    return `${urlOf({ port, user, password, database })}?${this.#authority.verified}`;
  }

  /** As the superuser on the primary. */
  async ask(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const url = urlOf({ port: this.primaryPort, user: superuser, password, database: "postgres" });
    const connectionString = `${url}?${this.#authority.verified}`;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
    client.on("error", () => undefined);
    await client.connect();
    try {
      let rows: readonly Record<string, unknown>[] = [];
      for (const sql of statements) ({ rows } = await client.query(sql));
      return rows;
    } finally {
      await client.end();
    }
  }

  async leader(): Promise<string> {
    const leader = (await this.#members()).find(({ role }) => role === "leader");
    if (!leader) throw new Error("There is no leader.");
    return leader.name;
  }

  /** All three stream, and one is synchronous where that is asked for. */
  async untilWhole({ isSynchronous = true } = {}): Promise<void> {
    const whole = async () => {
      const members = await this.#members();
      const roles = members.map(({ role }) => role).toSorted();
      const wanted = ["leader", "replica", isSynchronous ? "sync_standby" : "replica"].toSorted();
      return (
        members.every(isUp) && roles.join() === wanted.join() && members.every(({ lag = 0 }) => Number(lag) < 1_000_000)
      );
    };
    try {
      await until("the whole cluster", whole, 180_000);
    } catch (error) {
      throw new Error(`The cluster is not whole: ${JSON.stringify(await this.#members())}`, { cause: error });
    }
  }

  async setSynchronous(isSynchronous: boolean): Promise<void> {
    const config = { synchronous_mode: isSynchronous, synchronous_mode_strict: isSynchronous };
    await this.#api("PATCH", "config", config);
    await this.untilWhole({ isSynchronous });
  }

  /** HAProxy leads to a server that takes writes; before its first checks it leads to any. */
  async untilWritable(): Promise<void> {
    let inTurn = 0;
    const leads = async () => {
      const [row] = await this.ask("SELECT pg_is_in_recovery() AS standby");
      inTurn = row?.["standby"] === false ? inTurn + 1 : 0;
      return inTurn > 10;
    };
    await until("HAProxy's way to the primary", leads);
  }

  delayReplication(ms: number): void {
    for (const { door } of this.#nodes) door.delay(ms);
  }

  /** As if the machine went: Patroni and everything of Postgres at once. */
  async killNode(name: string): Promise<void> {
    const { process: patroni } = this.#node(name);
    const postgres = this.#postgresOf(name);
    patroni?.kill().catch(() => undefined);
    for (const pid of postgres) kill(pid);
    await Promise.all(postgres.map((pid) => isGone(pid, 10_000)));
  }

  killPostgres(name: string): void {
    for (const pid of this.#postgresOf(name)) kill(pid);
  }

  /** Starts Patroni on a node; it joins, and rewinds what only it had. */
  begin(name: string): void {
    const node = this.#node(name);
    node.process = this.#programs.start("patroni", [node.config], name);
  }

  async switchOver(): Promise<void> {
    await this.#api("POST", "switchover", { leader: await this.leader() });
  }

  async stop(): Promise<void> {
    for (const { process: patroni, name, door } of this.#nodes.toReversed()) {
      await patroni?.stop("SIGTERM", 20_000);
      for (const pid of this.#postgresOf(name)) kill(pid);
      await door.close();
    }
    for (const each of this.#others.toReversed()) await each.stop();
  }

  /** One, with deploy/etcd/etcd.yml; its port. */
  async #startEtcd(): Promise<number> {
    const [clients, peers] = [await choosePort(), await choosePort()];
    const folder = this.#programs.makeFolder("etcd");
    const certificate = await this.#certify("etcd", folder);
    const [inside, data] = [this.#programs.inside(folder), this.#programs.makeFolder("etcd/data")];
    const of = { folder: inside, data: this.#programs.inside(data), clients, peers };
    const path = this.#write(
      join(folder, "etcd.yml"),
      stringify(etcdConfig(readFileSync("deploy/etcd/etcd.yml", "utf8"), of)),
    );
    this.#others.push(this.#programs.start("etcd", ["--config-file", path], "etcd"));
    const url = `https://127.0.0.1:${clients}/v3/kv/range`;
    const range = { method: "POST", body: JSON.stringify({ key: "AA==" }) };
    const answers = async () => (await askOver(this.#authority, url, { ...range, as: certificate })).status === 200;
    await until("etcd", answers);
    const stranger = await askOver(this.#authority, url, range).catch(() => undefined);
    if (stranger) throw trouble("etcd answers somebody without a certificate.");
    return clients;
  }

  /** With deploy/patroni/patroni.yml. */
  async #makeNode(name: string, etcdPort: number): Promise<Node> {
    const [port, apiPort, doorPort] = [await choosePort(), await choosePort(), await choosePort()];
    const folder = this.#programs.makeFolder(name);
    const data = join(folder, "data");
    await this.#certify("db", folder);
    const config = patroniConfig(readFileSync("deploy/patroni/patroni.yml", "utf8"), {
      ...{ name, apiPort, etcdPort, superuser, password },
      folder: this.#programs.inside(folder),
      data: this.#programs.inside(data),
      programs: this.#programs.path("postgres").replace(/\/postgres$/, ""),
      postgres: { port, reachedBy: doorPort },
    });
    const path = this.#write(join(folder, "patroni.yml"), stringify(config));
    return { name, port, apiPort, door: await openDoor(doorPort, port), config: path, data, process: undefined };
  }

  /** A certificate for servers and clients, beside its authority's. */
  async #certify(name: string, folder: string): Promise<Certificate> {
    const [made, own] = [await this.#authority.certify(name, folder, { isClient: true }), join(folder, "ca.crt")];
    copyFileSync(this.#authority.file, own);
    this.#programs.give(own);
    return made;
  }

  /** Writes a file of the programs' own; its path as they see it. */
  #write(path: string, text: string): string {
    writeFileSync(path, text);
    this.#programs.give(path);
    return this.#programs.inside(path);
  }

  /** deploy/haproxy/postgres.cfg with the rig's addresses. */
  async #startHaproxy(): Promise<number> {
    const port = await choosePort();
    const file = readFileSync("deploy/haproxy/postgres.cfg", "utf8")
      .replace("bind :5432", `bind 127.0.0.1:${port}`)
      .replace("check port 8008", "check")
      .replace("/etc/haproxy/db-ca.crt", this.#programs.inside(this.#authority.file))
      .replace(/^ *server db.*\n/gm, "");
    const servers = this.#nodes.map(
      ({ name, port: to, apiPort }) => `    server ${name} 127.0.0.1:${to} port ${apiPort}\n`,
    );
    const path = this.#write(join(this.#programs.makeFolder("haproxy"), "postgres.cfg"), `${file}${servers.join("")}`);
    this.#others.push(this.#programs.start("haproxy", ["-db", "-f", path], "haproxy-postgres"));
    return port;
  }

  /** Asked of any node that answers; its answer. */
  async #api(method: string, path: string, body?: object): Promise<string> {
    let problem: unknown = new Error("No node answers.");
    const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/json" };
    for (const { apiPort } of this.#nodes) {
      try {
        const url = `https://127.0.0.1:${apiPort}/${path}`;
        const asking = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        const { status, text } = await askOver(this.#authority, url, asking);
        if (status < 300) return text;
        problem = new Error(`Patroni answered ${method} ${path} with ${status}: ${text}`);
        process.stderr.write(`${String(problem)}\n`);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }

  async #members(): Promise<readonly Member[]> {
    const reply = await this.#api("GET", "cluster");
    // Safe because it is Patroni's own.
    return (JSON.parse(reply) as { members: readonly Member[] }).members;
  }

  #node(name: string): Node {
    const node = this.#nodes.find((each) => each.name === name);
    if (!node) throw new Error(`There is no node ${name}.`);
    return node;
  }

  /** The postmaster of a node and what it started; none where it is not running. */
  #postgresOf(name: string): readonly number[] {
    let pid: number;
    try {
      pid = Number(readFileSync(join(this.#node(name).data, "postmaster.pid"), "utf8").split("\n")[0]);
    } catch {
      return [];
    }
    const tree = [pid, ...childrenOf(pid)].filter((each) => commandOf(each).includes("postgres"));
    return tree;
  }
}

const isUp = ({ state }: Member) => state === "running" || state === "streaming";

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
