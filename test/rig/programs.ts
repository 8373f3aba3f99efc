import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { endProcess } from "../../scripts/processes/processes.mjs";
import { trouble } from "../../scripts/processes/report.mjs";

/** Debian's unprivileged user; Postgres, Patroni and PgBouncer refuse to run as root. */
const nobody = 65_534;

export type Running = {
  readonly pid: number;
  readonly isRunning: () => boolean;
  readonly stop: (signal?: NodeJS.Signals, graceMs?: number) => Promise<void>;
  readonly kill: () => Promise<void>;
};

/**
 * The programs of a rig, from Debian packages: of this machine, or of another Debian in a folder (`--root=`, as
 * debootstrap makes it), in which they then run.
 */
export class Programs {
  /** The rig's own folder, as we see it. */
  readonly folder: string;
  readonly #root: string;

  constructor(root = "") {
    this.#root = root.replace(/\/$/, "");
    mkdirSync(join(this.#root, "/var/tmp"), { recursive: true });
    this.folder = mkdtempSync(join(this.#root, "/var/tmp/rig-"));
    this.#give(this.folder, 0o755);
  }

  /** A folder of the rig that its programs may write to. */
  makeFolder(name: string, mode = 0o700): string {
    const path = join(this.folder, name);
    mkdirSync(path, { recursive: true });
    this.#give(path, mode);
    return path;
  }

  /** As the programs see a path of ours. */
  inside(path: string): string {
    return path.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }

  /** Lets the programs read a file. */
  give(path: string, mode = 0o600): void {
    this.#give(path, mode);
  }

  /** Says what to install, where one of these is missing. */
  demand(packageByProgram: Readonly<Record<string, string>>): void {
    const missing = Object.entries(packageByProgram).filter(([program]) => this.#find(program) === undefined);
    if (missing.length === 0) return;
    const packages = [...new Set(missing.map(([, name]) => name))];
    throw trouble(
      `Missing: ${missing.map(([program]) => program).join(", ")}. Install them on Debian 13 or later: apt-get install ${packages.join(" ")}. On an older Debian: debootstrap --include=${packages.join(",")} trixie /srv/trixie, mount -t proc proc /srv/trixie/proc; mkdir -p /srv/trixie/dev/shm; mount -t tmpfs tmpfs /srv/trixie/dev/shm; then --root=/srv/trixie.`,
    );
  }

  /** Where a program is, as the programs see it. */
  path(program: string): string {
    const found = this.#find(program);
    if (found === undefined) throw trouble(`${program} is not installed.`);
    return found;
  }

  start(program: string, args: readonly string[], log: string): Running {
    const [command, all] = this.#command(program, args);
    const child = spawn(command, all, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { NODE_ENV: "production", PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/tmp", LC_ALL: "C.UTF-8" },
    });
    const lines = createWriteStream(join(this.folder, `${log}.log`), { flags: "a" });
    child.stdout.pipe(lines, { end: false });
    child.stderr.pipe(lines, { end: false });
    return running(child);
  }

  /** Runs a program to its end; fails with what it printed. */
  async run(program: string, args: readonly string[]): Promise<string> {
    const [command, all] = this.#command(program, args);
    const child = spawn(command, all, { stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (text += bytes.toString()));
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${text.slice(-600)}`);
    return text;
  }

  #command(program: string, args: readonly string[]): readonly [string, string[]] {
    const path = this.path(program);
    if (process.getuid?.() !== 0) return [path, [...args]];
    // `chroot` becomes the program, so that its pid is the program's.
    return ["chroot", [`--userspec=${nobody}:${nobody}`, this.#root || "/", path, ...args]];
  }

  #find(program: string): string | undefined {
    const postgres = join(this.#root, "/usr/lib/postgresql");
    const versions = existsSync(postgres)
      ? readdirSync(postgres)
          .map(Number)
          .filter((version) => version >= 16)
      : [];
    const folders = [
      ...versions.toSorted((a, b) => b - a).map((version) => `/usr/lib/postgresql/${version}/bin`),
      ...["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"],
    ];
    // Patroni looks for Postgres of its own kind, so a program of Postgres has to be of one that is new enough.
    return folders.map((folder) => `${folder}/${program}`).find((path) => existsSync(join(this.#root, path)));
  }

  #give(path: string, mode: number): void {
    chmodSync(path, mode);
    if (process.getuid?.() === 0) chownSync(path, nobody, nobody);
  }
}

function running(child: ChildProcess): Running {
  const { pid } = child;
  if (pid === undefined) throw new Error("A program could not be started.");
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    isRunning,
    stop: async (signal = "SIGTERM", graceMs = 15_000) => {
      if (isRunning()) await endProcess(pid, { signal, graceMs });
    },
    kill: async () => {
      if (!isRunning()) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
