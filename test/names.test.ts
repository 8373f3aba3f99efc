import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Words that said too little to name anything: the glossary has better ones. */
const vague = new Set([
  "asked",
  "carry",
  "heard",
  "holds",
  "motion",
  "said",
  "sending",
  "told",
  "wants",
  "way",
  "words",
]);

const kept = [
  // The earlier name of a setting, which is refused.
  "lib/platform/env.ts SENDING",
  // Members of values that are digested or stored under these names, and never rewritten.
  "lib/submission/payer-event.ts wants",
  "lib/submission/store/payer-inquiry-notes.ts words",
];

function isDeclared(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isImportSpecifier(parent)) return false;
  return "name" in parent && parent.name === name && !ts.isPropertyAccessExpression(parent);
}

function vagueNamesIn(source: string, file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && vague.has(node.text.toLowerCase()) && isDeclared(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

test("nothing is named by a word that says too little", () => {
  const files = globSync([
    "*.{ts,mjs}",
    "{agent,app,bench,components,e2e,lib,prisma,scripts,simulator,test}/**/*.{ts,tsx,mjs,js}",
  ]).filter((file) => !/generated|node_modules/.test(file));
  expect(files.length).toBeGreaterThan(1_500);
  const found = files.flatMap((file) =>
    vagueNamesIn(readFileSync(file, "utf8"), file).map((name) => `${file} ${name}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(kept);
});

test("a vague name is found as a type, a variable, a parameter and a member", () => {
  const source = "type Told = { readonly words: string }; const asked = (way: Told) => way.words;";
  expect(vagueNamesIn(source, "a.ts")).toEqual(["Told", "words", "asked", "way"]);
});
