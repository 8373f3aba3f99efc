import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type LockedPackage = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };

/** Where Node looks for `name` from the package at `from`, nearest first. */
function placesOf(name: string, from: string): string[] {
  const parts = from === "" ? [] : from.split("/node_modules/");
  return [...parts.keys(), parts.length]
    .map((count) => [...parts.slice(0, count), name].join("/node_modules/"))
    .map((path) => (path.startsWith("node_modules/") ? path : `node_modules/${path}`))
    .toReversed();
}

test("the lock names every package that another one asks for, on every platform, as `npm ci` requires", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const missing = Object.entries(packages).flatMap(([from, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !placesOf(name, from).some((place) => place in packages))
      .map((name) => `${from || "package.json"} asks for ${name}`),
  );
  expect(missing).toEqual([]);
});
