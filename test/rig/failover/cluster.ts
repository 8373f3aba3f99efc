import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { parse, stringify } from "yaml";
import { urlOf } from "../../../scripts/database/postgres.mjs";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { isGone } from "../../../scripts/processes/processes.mjs";
import { startPgBouncer } from "../pgbouncer/config.ts";
import type { Programs, Running } from "../programs.ts";
import { until } from "../service.ts";
import { type DelayingDoor, openDoor } from "./delaying-door.ts";
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
} as const;

type Node = {
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
  /** By which the others replicate from it. */
  readonly door: DelayingDoor;
  readonly config: string;
  readonly data: string;
  process: Running | undefined;
};

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly lag?: number | string };

/** Three nodes of Patroni with etcd, behind HAProxy and PgBouncer, all on loopback. */
export class PatroniCluster {
  readonly #programs: Programs;
  readonly #nodes: Node[] = [];
  readonly #others: Running[] = [];
  /** Leads to the primary, past PgBouncer. */
  primaryPort = 0;
  /** PgBouncer's. */
  pooledPort = 0;

  constructor(programs: Programs) {
    this.#programs = programs;
  }

  async start(): Promise<void> {
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
    const to = { port: this.primaryPort, database };
    const login = { user: app, password };
    this.#others.push(startPgBouncer(this.#programs, template, { port: this.pooledPort, to, login, poolSize: 30 }));
  }

  url(user: string, port = this.primaryPort): string {
    return urlOf({ port, user, password, database });
  }

  /** As the superuser on the primary. */
  async ask(...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
    const connectionString = urlOf({ port: this.primaryPort, user: "postgres", password, database: "postgres" });
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
    node.process = this.#programs.start("patroni", [this.#programs.inside(node.config)], name);
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

  async #startEtcd(): Promise<number> {
    const [client, peer] = [await choosePort(), await choosePort()];
    const [clients, peers] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const args = [
      ...["--data-dir", this.#programs.inside(this.#programs.makeFolder("etcd"))],
      ...["--listen-client-urls", clients, "--advertise-client-urls", clients],
      ...["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", `default=${peers}`],
    ];
    this.#others.push(this.#programs.start("etcd", args, "etcd"));
    await until("etcd", () => fetch(`${clients}/health`).then(({ ok }) => ok));
    return client;
  }

  /** deploy/patroni/patroni.yml with the rig's addresses, without TLS. */
  async #makeNode(name: string, etcd: number): Promise<Node> {
    const [port, apiPort, doorPort] = [await choosePort(), await choosePort(), await choosePort()];
    const folder = this.#programs.makeFolder(name);
    const data = join(folder, "data");
    // Safe because the file is ours.
    const file = parse(readFileSync("deploy/patroni/patroni.yml", "utf8")) as Record<string, Record<string, unknown>>;
    const login = (username: string) => ({ username, password });
    const config = {
      ...file,
      name,
      restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
      etcd3: { hosts: [`127.0.0.1:${etcd}`] },
      postgresql: {
        ...file["postgresql"],
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${doorPort}`,
        data_dir: this.#programs.inside(data),
        bin_dir: this.#programs.path("postgres").replace(/\/postgres$/, ""),
        use_unix_socket: false,
        use_unix_socket_repl: false,
        pgpass: this.#programs.inside(join(folder, "pgpass")),
        authentication: { superuser: login("postgres"), replication: login("replicator"), rewind: login("rewind") },
        parameters: { unix_socket_directories: this.#programs.inside(folder) },
        pg_hba: ["host replication all 127.0.0.1/32 scram-sha-256", "host all all 127.0.0.1/32 scram-sha-256"],
      },
    };
    const path = join(folder, "patroni.yml");
    writeFileSync(path, stringify(config));
    this.#programs.give(path);
    return { name, port, apiPort, door: await openDoor(doorPort, port), config: path, data, process: undefined };
  }

  /** deploy/haproxy/postgres.cfg with the rig's addresses. */
  async #startHaproxy(): Promise<number> {
    const port = await choosePort();
    const file = readFileSync("deploy/haproxy/postgres.cfg", "utf8")
      .replace("bind :5432", `bind 127.0.0.1:${port}`)
      .replace("check port 8008", "check")
      .replace(/^ *server db.*\n/gm, "");
    const servers = this.#nodes.map(
      ({ name, port: to, apiPort }) => `    server ${name} 127.0.0.1:${to} port ${apiPort}\n`,
    );
    const path = join(this.#programs.makeFolder("haproxy"), "postgres.cfg");
    writeFileSync(path, `${file}${servers.join("")}`);
    this.#programs.give(path);
    this.#others.push(this.#programs.start("haproxy", ["-db", "-f", this.#programs.inside(path)], "haproxy-postgres"));
    return port;
  }

  /** Asked of any node that answers. */
  async #api(method: string, path: string, body?: object): Promise<Response> {
    let problem: unknown = new Error("No node answers.");
    for (const { apiPort } of this.#nodes) {
      try {
        const url = `http://127.0.0.1:${apiPort}/${path}`;
        const reply = await fetch(url, {
          method,
          // Patroni ends connections as it likes, also while it restarts Postgres.
          headers: { connection: "close", "content-type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        });
        if (reply.ok) return reply;
        problem = new Error(`Patroni answered ${method} ${path} with ${reply.status}: ${await reply.text()}`);
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
    return ((await reply.json()) as { members: readonly Member[] }).members;
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
