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

const sources = globSync([
  "*.{ts,mjs}",
  "{agent,app,bench,components,e2e,lib,prisma,scripts,simulator,test}/**/*.{ts,tsx,mjs,js}",
])
  .filter((file) => !/generated|node_modules/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

test("nothing is named by a word that says too little", () => {
  expect(sources.length).toBeGreaterThan(1_500);
  const found = sources.flatMap(({ file, text }) => vagueNamesIn(text, file).map((name) => `${file} ${name}`));
  expect([...new Set(found)].toSorted()).toEqual(kept);
  // It parses every source, which a machine at other work does in its time.
}, 120_000);

/** What was done to a thing, without the thing. */
const participle =
  /^(?:(?!Seed|Speed|Feed|Need|Embed)[A-Z][a-z]+ed|Begun|Bound|Built|Chosen|Done|Drawn|Found|Given|Gone|Got|Held|Kept|Known|Lost|Made|Met|Proven|Read|Seen|Sent|Shown|Taken|Written)$/;

/** The types of a source whose whole name is a participle. */
function participlesIn(source: string): readonly string[] {
  const declared = [...source.matchAll(/^\s*(?:export )?(?:type|interface|class) (\w+)/gm)];
  return declared.map(([, name = ""]) => name).filter((name) => participle.test(name));
}

test("a type is named by a noun, never by a participle alone", () => {
  const found = sources.flatMap(({ file, text }) => participlesIn(text).map((name) => `${file} ${name}`));
  expect(found).toEqual([]);
  expect(participlesIn("type Sealed = Uint8Array;\nexport type SealedRow = {};\nclass Kept {}")).toEqual([
    "Sealed",
    "Kept",
  ]);
});

test("a vague name is found as a type, a variable, a parameter and a member", () => {
  const source = "type Told = { readonly words: string }; const asked = (way: Told) => way.words;";
  expect(vagueNamesIn(source, "a.ts")).toEqual(["Told", "words", "asked", "way"]);
});
