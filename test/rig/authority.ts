import { request } from "node:https";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Programs } from "./programs.ts";

/** The files of a certificate, as the rig sees them. */
export type Certificate = { readonly cert: string; readonly key: string };

const newKey = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"] as const;

/** A rig's own certificate authority, by the commands of docs/operations/topology.md. */
export class Authority {
  /** Its own certificate, as the rig sees it. */
  readonly file: string;
  readonly #key: string;
  readonly #programs: Programs;

  constructor(programs: Programs) {
    const folder = programs.makeFolder("authority", 0o755);
    [this.file, this.#key, this.#programs] = [join(folder, "ca.crt"), join(folder, "ca.key"), programs];
  }

  async begin(): Promise<void> {
    const files = ["-keyout", this.#inside(this.#key), "-out", this.#inside(this.file)];
    await this.#programs.run("openssl", [...newKey, "-days", "2", "-subj", "/CN=Authority of the rig", ...files]);
  }

  /** For loopback. One for clients, too, is let in by etcd. */
  async certify(name: string, folder: string, { isClient }: { readonly isClient: boolean }): Promise<Certificate> {
    const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    await this.#programs.run("openssl", [
      ...[...newKey, "-days", "2", "-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ...["-addext", "basicConstraints=critical,CA:FALSE"],
      ...["-addext", `extendedKeyUsage=serverAuth${isClient ? ",clientAuth" : ""}`],
      ...["-CA", this.#inside(this.file), "-CAkey", this.#inside(this.#key)],
      ...["-keyout", this.#inside(key), "-out", this.#inside(cert)],
    ]);
    return { cert, key };
  }

  /** As the URL of a database says it. */
  get verified(): string {
    return `sslmode=verify-full&sslrootcert=${this.file}`;
  }

  #inside(path: string): string {
    return this.#programs.inside(path);
  }
}

type Asking = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly as?: Certificate;
};

/** One request to a server that this authority certified; fails where that is in doubt or nothing comes for long. */
export function askOver(
  authority: Authority,
  url: string,
  { method = "GET", headers = {}, body, as }: Asking = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const own = as && { cert: readFileSync(as.cert), key: readFileSync(as.key) };
  const options = { method, headers, agent: false, ca: readFileSync(authority.file), ...own };
  return new Promise((resolve, reject) => {
    const call = request(url, { ...options, signal: AbortSignal.timeout(30_000) }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("data", (part: string) => (text += part));
      reply.on("error", reject);
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
    });
    call.on("error", reject);
    call.end(body);
  });
}
