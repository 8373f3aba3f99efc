import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/setup/files.mjs";

const names = new Set(
  globSync("{agent,app,bench,components,e2e,lib,prisma,scripts,simulator,test}/**/*.*", { cwd: root })
    .concat(readdirSync(root))
    .map((file) => basename(file)),
);
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), "utf8"),
}));

const found = (pattern: RegExp) =>
  pages.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name = ""]) => ({ file, name })));

test("every link of a page to a file leads to one", () => {
  const links = found(/\]\(<?([^)#>]+?)>?(?:#[^)]*)?\)/g).filter(({ name }) => !/^\w+:/.test(name));
  expect(links.length).toBeGreaterThan(300);
  const isThere = ({ file, name }: (typeof links)[number]) => existsSync(join(root, dirname(file), normalize(name)));
  expect(links.filter((link) => !isThere(link))).toEqual([]);
});

test("every source file that a page names is one of ours, or one that it says to save", () => {
  const saved = new Set(found(/[Ss]ave this as `([\w.-]+)`/g).map(({ name }) => name));
  const sources = found(/`([\w./[\]-]*\w\.(?:ts|tsx|mjs|sql|prisma))`/g).filter(({ name }) => !name.startsWith("-"));
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.filter(({ name }) => !names.has(basename(name)) && !saved.has(name))).toEqual([]);
});

test("every command that a page says to run is one of ours", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const commands = found(/npm run ([a-z0-9:-]+)/g);
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
});
