import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Authority, Certificate } from "../authority.ts";
import type { Programs, Running } from "../programs.ts";

type Behind = {
  readonly port: number;
  /** Postgres, or what leads to its primary; without an authority, one without TLS. */
  readonly to: { readonly port: number; readonly database: string; readonly authority?: Authority };
  readonly login: { readonly user: string; readonly password: string };
  readonly poolSize: number;
  /** For those who connect to it. */
  readonly certificate: Certificate;
};

/** deploy/pgbouncer/pgbouncer.ini with a rig's addresses; PgBouncer as a process of the rig. */
export function startPgBouncer(programs: Programs, template: string, behind: Behind): Running {
  const { port, to, login, poolSize, certificate } = behind;
  const folder = programs.makeFolder("pgbouncer");
  const users = join(folder, "userlist.txt");
  writeFileSync(users, `"${login.user}" "${login.password}"\n`);
  const own: Readonly<Record<string, string>> = {
    prior_auth: `${to.database} = host=127.0.0.1 port=${to.port} dbname=${to.database}`,
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    auth_file: programs.inside(users),
    default_pool_size: String(poolSize),
    unix_socket_dir: "",
    pidfile: "",
    logfile: "",
    client_tls_cert_file: programs.inside(certificate.cert),
    client_tls_key_file: programs.inside(certificate.key),
    ...(to.authority ? { server_tls_ca_file: programs.inside(to.authority.file) } : { server_tls_sslmode: "disable" }),
  };
  const kept = template.split("\n").flatMap((line) => {
    const name = /^;?(\w+) *=/.exec(line)?.[1];
    if (name === undefined) return [line];
    if (name === "prior_auth") return [own[name] ?? ""];
    return [own[name] === undefined ? line : `${name} = ${own[name]}`];
  });
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, kept.join("\n"));
  for (const path of [users, file]) programs.give(path);
  return programs.start("pgbouncer", [programs.inside(file)], "pgbouncer");
}
