import { existsSync, globSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { faults } from "#lib/a2a/reply/faults";
import { isWithin, readNetworks } from "#lib/platform/outbound/networks";
import { isReleased } from "../../scripts/release/release.mjs";
import { root } from "../../scripts/setup/files.mjs";
import { environmentOf } from "../../scripts/start/process-settings.mjs";
import { etcdConfig, patroniConfig } from "../rig/failover/recipe.ts";

const read = (path: string) => readFileSync(path, "utf8");
const namesIn = (text: string) => [...text.matchAll(/^#? ?([A-Z][A-Z_]+)=/gm)].map(([, name = ""]) => name);

/** The settings that a process is given of these, by the same rule as `npm start`. */
function given(name: "server" | "worker" | "operator", names: readonly string[]): readonly string[] {
  return Object.keys(environmentOf(name, Object.fromEntries(names.map((each) => [each, "x"]))));
}

/** Of Node itself, beside our own. */
const ofNode = ["NODE_ENV"];

test.each(["server", "worker", "operator"] as const)(
  "the example of the %s's settings names settings of that process alone, each of which is explained",
  (name) => {
    const names = namesIn(read(`deploy/settings/${name}.env.example`));
    expect(names.length).toBeGreaterThan(5);
    expect(given(name, names)).toEqual(names);
    const explained = namesIn(read(".env.example"));
    const own = names.filter((each) => !ofNode.includes(each) && each !== "NEXTAUTH_URL");
    expect(own.filter((each) => !explained.includes(each))).toEqual([]);
  },
);

const settingIn = (path: string, name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(read(path))?.[1];
const exampleOf = (name: string) => `deploy/settings/${name}.env.example`;

test("the command line is told what servers and workers are told of the database, by which it judges it", () => {
  for (const name of ["REPLICATION", "APP_DATABASE_URL", "SEALING_KEY_FILE"]) {
    const given = ["server", "worker", "operator"].map((each) => settingIn(exampleOf(each), name));
    expect(given, name).toEqual([given[0], given[0], given[0]]);
    expect(given[0], name).toBeTruthy();
  }
});

test("a server and a worker of one host show their metrics at two ports, and Prometheus reads each at its own", () => {
  const ports = ["server", "worker"].map((name) => settingIn(exampleOf(name), "METRICS_PORT"));
  expect(new Set(ports).size).toBe(2);
  for (const path of globSync("deploy/prometheus/prometheus*.yml")) {
    // Safe because what is used of it is checked.
    const { scrape_configs: jobs } = parse(read(path)) as {
      readonly scrape_configs: readonly [{ readonly static_configs: readonly { readonly targets: string[] }[] }];
    };
    const scraped = jobs[0].static_configs.map(({ targets }) => [
      ...new Set(targets.map((each) => each.split(":")[1])),
    ]);
    expect(scraped, path).toEqual(ports.map((port) => [port]));
  }
});

test("the migration alone is given the owner of the tables", () => {
  expect(namesIn(read("deploy/settings/migrate.env.example"))).toEqual(["DATABASE_URL", "APP_DATABASE_URL"]);
  for (const path of globSync("deploy/settings/{server,worker,operator}.env.example"))
    expect(namesIn(read(path)), path).not.toContain("DATABASE_URL");
});

test("the chart gives web servers and workers settings of theirs, and no secret", () => {
  for (const [name, file] of [["server", "web"] as const, ["worker", "worker"] as const]) {
    const names = [
      ...read(`deploy/helm/prior-authorization/templates/${file}.yaml`).matchAll(/\{ name: ([A-Z_]+),/g),
    ].map(([, each = ""]) => each);
    expect(names.length).toBeGreaterThan(4);
    expect(given(name, names)).toEqual(names);
    expect(names.filter((each) => /SECRET|PASSWORD|PEPPER|(?<!FILE)_KEY$|DATABASE_URL/.test(each))).toEqual([]);
  }
});

test("whatever starts a process starts a program that a release holds", () => {
  const files = ["Dockerfile", "compose.yaml", ...globSync("deploy/{systemd,helm}/**/*.{service,yaml}")];
  const programs = files.flatMap((path) => [
    ...read(path).matchAll(/(?<![\w/.-])((?:lib|scripts)\/[\w/-]+\.ts|server\.ts)\b/g),
  ]);
  const named = [...new Set(programs.map(([, program = ""]) => program))].sort();
  expect(named).toEqual(["lib/worker/main.ts", "scripts/database/migrate.ts", "server.ts"]);
  for (const program of named) expect(existsSync(program), program).toBe(true);
});

const units = ["migrate", "web", "worker"] as const;
const unitOf = (name: (typeof units)[number]) => read(`deploy/systemd/prior-authorization-${name}.service`);
const valuesIn = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);

test("no unit of systemd can read the settings of another: each has a user of its own, and systemd reads them for it", () => {
  const users = units.map((name) => valuesIn(unitOf(name), "User"));
  expect(users).toEqual(units.map((name) => [`prior-authorization-${name}`]));
  const files = units.map((name) => valuesIn(unitOf(name), "EnvironmentFile"));
  expect(files).toEqual(["migrate", "server", "worker"].map((each) => [`/etc/prior-authorization/${each}.env`]));
  for (const name of units) expect(unitOf(name), name).not.toContain("--env-file");
  expect(units.map((name) => valuesIn(unitOf(name), "StateDirectory"))).toEqual([[], [], ["prior-authorization"]]);
});

test("a node that boots before its database comes up, and each upgrade migrates: the units wait for no migration", () => {
  for (const name of ["web", "worker"] as const) {
    const unit = unitOf(name);
    expect(unit, name).not.toContain("migrate");
    expect([valuesIn(unit, "Restart"), valuesIn(unit, "StartLimitIntervalSec")], name).toEqual([["always"], ["0"]]);
  }
  expect(valuesIn(unitOf("migrate"), "Type")).toEqual(["oneshot"]);
  // Started again it would do nothing where it remains, and a boot would start what an operator has to.
  expect(unitOf("migrate")).not.toMatch(/RemainAfterExit|\[Install\]/);
});

type ComposeService = {
  readonly env_file?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: Readonly<Record<string, { readonly ipv4_address: string }>>;
};

function readCompose() {
  // Safe because each test checks what it uses of it.
  return parse(read("compose.yaml"), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly secrets: Readonly<Record<string, { readonly file: string }>>;
    readonly networks: {
      readonly default: {
        readonly ipam: { readonly config: readonly [{ readonly subnet: string; readonly ip_range: string }] };
      };
    };
  };
}

test("compose runs everything but the database without rights and on a tree that nobody writes to", () => {
  const { services, secrets } = readCompose();
  expect(Object.keys(services).sort()).toEqual(
    ["grafana", "haproxy", "migrate", "postgres", "prometheus", "web-1", "web-2", "worker-1", "worker-2"].sort(),
  );
  for (const name of ["migrate", "web-1", "web-2", "worker-1", "worker-2"])
    expect(services[name], name).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  const wanted = Object.values(services).flatMap(({ secrets: some = [] }) => some);
  expect([...new Set(wanted)].sort()).toEqual(Object.keys(secrets).sort());
  // Each worker has a ledger of its own.
  expect(services["worker-1"]?.volumes).not.toEqual(services["worker-2"]?.volumes);
});

test("no container of compose fills the disk with its log", () => {
  for (const [name, { logging }] of Object.entries(readCompose().services))
    expect(logging?.options, name).toEqual({ "max-size": "20m", "max-file": "5" });
});

test("the folders that compose mounts volumes on belong to the user of the image, as a new volume then does", () => {
  const { services } = readCompose();
  const made =
    read("Dockerfile")
      .match(/install -d -o node -g node.*$/gm)
      ?.join(" ") ?? "";
  const volumes = ["worker-1", "worker-2"].flatMap((name) => services[name]?.volumes ?? []);
  const folders = volumes.map((volume) => volume.split(":").at(-1));
  expect(folders.length).toBeGreaterThan(3);
  for (const folder of folders) expect(made).toContain(folder);
});

test("the balancer of compose is told where its file is mounted, and its database is ready once others can reach it", () => {
  const { services } = readCompose();
  expect(services["haproxy"]).toMatchObject({
    command: ["haproxy", "-f", "/etc/haproxy/haproxy.cfg"],
    volumes: ["./deploy/haproxy:/etc/haproxy:ro"],
  });
  expect(services["postgres"]).toMatchObject({
    healthcheck: { test: ["CMD-SHELL", expect.stringContaining("pg_isready -h 127.0.0.1 ")] },
  });
});

test("servers believe the balancer of compose and nobody else, and it passes on nothing that a client says of its way", () => {
  const { services, networks } = readCompose();
  const address = services["haproxy"]?.networks?.["default"]?.ipv4_address ?? "";
  expect(isIP(address)).toBe(4);
  for (const name of ["web-1", "web-2"])
    expect(services[name]?.environment, name).toMatchObject({ TRUSTED_PROXIES: `${address}/32` });
  const [{ subnet, ip_range: others }] = networks.default.ipam.config;
  const isIn = (network: string) => isWithin(address, readNetworks(network) ?? []);
  expect([isIn(subnet), isIn(others)]).toEqual([true, false]);
  const [, frontend = ""] = /^frontend public\n((?: .*\n)+)/m.exec(read("deploy/haproxy/haproxy.cfg")) ?? [];
  expect(frontend).toContain("http-request set-header X-Forwarded-For %[src]\n");
  expect(frontend).toContain("http-request del-header X-Forwarded-Host\n");
  expect(read("deploy/haproxy/haproxy.cfg")).not.toContain("forwardfor");
});

test("settings and keys that an operator filled in reach no commit, no image and no release; their examples do", () => {
  const { services, secrets } = readCompose();
  const settings = Object.values(services).flatMap(({ env_file: file = [] }) => file);
  const filledIn = [...settings, ...Object.values(secrets).map(({ file }) => file.slice(2)), "deploy/haproxy/tls.pem"];
  expect(new Set(filledIn).size).toBeGreaterThan(8);
  const examples = globSync("deploy/settings/*.example");
  expect(examples.length).toBeGreaterThan(3);
  const released = [...filledIn, ...examples].filter((path) => isReleased(join(root, path)));
  expect(released).toEqual(examples);
  for (const list of [".gitignore", ".dockerignore"]) {
    const lines = read(list).split("\n");
    expect(lines).toContain("!deploy/settings/*.example");
    const seen = filledIn.filter((path) => !lines.some((line) => matchesGlob(path, line)));
    expect(seen, list).toEqual([]);
  }
});

test("while no server is ready, the balancer answers an agent with the error that a server gives", () => {
  const [, body = "", retryAfter] =
    /return status 503 content-type application\/json string '([^']*)' hdr Retry-After (\d+) if \{ path_beg \/api\/ \} \{ nbsrv\(web\) eq 0 \}/.exec(
      read("deploy/haproxy/haproxy.cfg"),
    ) ?? [];
  const { http, code, message } = faults.busy;
  expect(http).toBe(503);
  expect(JSON.parse(body)).toEqual({ jsonrpc: "2.0", id: null, error: { code, message } });
  expect(retryAfter).toBe("2");
});

test("Patroni's file asks everybody for TLS and has a certificate, except for its own Postgres", () => {
  // Safe because each part is checked below.
  const { restapi, etcd3, postgresql } = parse(read("deploy/patroni/patroni.yml")) as {
    readonly restapi: object;
    readonly etcd3: object;
    readonly postgresql: { readonly pg_hba: readonly string[]; readonly authentication: object };
  };
  const [cert, key, ca] = ["/etc/patroni/db.crt", "/etc/patroni/db.key", "/etc/patroni/ca.crt"];
  expect(postgresql.pg_hba.filter((line) => !/^(hostssl|local) /.test(line))).toEqual([]);
  expect(postgresql).toMatchObject({
    parameters: { ssl: "on", ssl_cert_file: cert, ssl_key_file: key },
    use_unix_socket: true,
    use_unix_socket_repl: true,
  });
  for (const login of Object.values(postgresql.authentication))
    expect(login).toMatchObject({ sslmode: "verify-full", sslrootcert: ca });
  // Patroni's port changes nothing for whoever merely reaches it.
  expect(restapi).toMatchObject({
    ...{ certfile: cert, keyfile: key, cafile: ca },
    authentication: { username: expect.any(String) },
  });
  expect(etcd3).toMatchObject({ protocol: "https", cacert: ca, cert, key });
});

test("etcd's file lets in nobody without a certificate of its authority, and the balancer trusts no other", () => {
  const config = parse(read("deploy/etcd/etcd.yml")) as Readonly<Record<string, unknown>>;
  const tls = { "client-cert-auth": true, "trusted-ca-file": expect.any(String), "cert-file": expect.any(String) };
  expect(config).toMatchObject({ "client-transport-security": tls, "peer-transport-security": tls });
  const addresses = Object.entries(config).filter(([name]) => /urls$|^initial-cluster$/.test(name));
  expect(addresses.map(([, value]) => String(value)).filter((value) => /http:/.test(value))).toEqual([]);
  expect(addresses).toHaveLength(5);
  expect(read("deploy/haproxy/postgres.cfg")).toMatch(/check-ssl verify required ca-file \S+/);
});

test("the rig replaces no part of the files of Patroni and etcd but names, addresses, folders and passwords", () => {
  const [patroni, etcd] = [read("deploy/patroni/patroni.yml"), read("deploy/etcd/etcd.yml")];
  const node = patroniConfig(patroni, {
    ...{ name: "db-9", folder: "/rig", data: "/rig/data", programs: "/rig/bin", apiPort: 1, etcdPort: 2 },
    ...{ postgres: { port: 3, reachedBy: 4 }, superuser: "rig", password: "rig" },
  });
  expect(changed(parse(patroni), node)).toEqual([
    ...["name", "restapi.listen", "restapi.connect_address", "restapi.certfile", "restapi.keyfile", "restapi.cafile"],
    ...["restapi.authentication.password", "etcd3.hosts", "etcd3.cacert", "etcd3.cert", "etcd3.key"],
    ...["listen", "connect_address", "data_dir", "bin_dir"].map((each) => `postgresql.${each}`),
    ...["superuser.username", "superuser.password", "superuser.sslrootcert"].map(ofLogin),
    ...["replication", "rewind"].flatMap((who) => [`${who}.password`, `${who}.sslrootcert`]).map(ofLogin),
    ...["ssl_cert_file", "ssl_key_file", "unix_socket_directories"].map((each) => `postgresql.parameters.${each}`),
    "postgresql.pgpass",
  ]);
  const one = etcdConfig(etcd, { folder: "/rig", data: "/rig/data", clients: 1, peers: 2 });
  expect(changed(parse(etcd), one)).toEqual([
    ...["data-dir", "listen-client-urls", "advertise-client-urls", "listen-peer-urls", "initial-advertise-peer-urls"],
    "initial-cluster",
    ...["client", "peer"].flatMap((side) =>
      ["trusted-ca-file", "cert-file", "key-file"].map((each) => `${side}-transport-security.${each}`),
    ),
  ]);
});

const ofLogin = (part: string) => `postgresql.authentication.${part}`;

/** The names of the values that differ, through all that is nested. */
function changed(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isPart(before) || !isPart(after)) return [path.join(".")];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => changed(before[name], after[name], [...path, name]));
}

const isPart = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
