import { globSync } from "node:fs";
import { dirname, relative } from "node:path";
import { expect, test } from "vitest";
import { helpTopicOf } from "./help.ts";

/** Pages that open without a session, and so stand without the shell. */
const withoutShell = ["sign-in", "invite", "developers"];

test("every page of a signed-in person has help of its own kind", () => {
  const paths = globSync("app/**/page.tsx").map((file) =>
    `/${relative("app", dirname(file))}`.replace(/^\/\(\w+\)/, "/"),
  );
  const inShell = paths.filter((path) => !withoutShell.includes(path.split("/")[1] ?? ""));
  expect(inShell.length).toBeGreaterThan(20);
  expect(inShell.filter((path) => helpTopicOf(path) === undefined)).toEqual([]);
  expect(helpTopicOf("/nowhere")).toBeUndefined();
});
