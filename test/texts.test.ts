import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const rooms = "access,audit,change-request,channel,gate,payer,person,practice,queue,report,submission,task";

/** Three words that follow each other, or the beginning of what is wrong with a field in two. */
const sentence =
  /(?<![-\w])[\p{L}'’]+[,;:.]? [\p{L}'’]*\p{Ll}{2,}[,;:.]? [\p{L}'’]+(?![-\w])|^(?:has|holds|is|needs) /u;

/** Statements, and markup. */
const noSentence = /\b(?:SELECT|FROM|WHERE|UPDATE|INSERT|JOIN|NULL|CASE|BEFORE|AND|AS|ORDER BY)\b|::|<\w/;

/** Whether what stands in it is for engineers: a line of the log, a bug that throws, the name of a rule, a type. */
function isForEngineers(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isTypeNode(node) || ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isNewExpression(node)) return /(?:Error|RegExp)$/.test(node.expression.getText());
  if (ts.isCallExpression(node))
    return /\.(?:trace|debug|info|warn|error|fatal)$|^(?:assert|logFailure)$/.test(node.expression.getText());
  return ts.isPropertyAssignment(node) && node.name.getText() === "when";
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}

function sentencesIn(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isForEngineers(node)) return;
    const text = textOf(node);
    if (text !== undefined && sentence.test(text) && !noSentence.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("", source, ts.ScriptTarget.Latest, true));
  return found;
}

test("what people and agents read stands in the catalogs of lib/messages, not in verbs, models or SQL", () => {
  const found = globSync(`lib/{${rooms}}/**/*.ts`)
    .filter((file) => !/\.(?:test|fixture)\.ts$|-contract\.ts$/.test(file))
    .map((file) => ({ file: file.slice("lib/".length), sentences: sentencesIn(readFileSync(file, "utf8")) }))
    .filter(({ sentences }) => sentences.length > 0);
  expect(found).toEqual([]);
});

test("a sentence is found wherever it stands, and what only engineers read is none", () => {
  const wrong = 'refuse({ problem: "must be one line" }); const why = `The payer answered HTTP ${status}.`;';
  expect(sentencesIn(wrong)).toHaveLength(2);
  const right =
    'log.info({ at }, "a payer was asked again"); assert(x, "a task has its gate"); const word = "held again";';
  expect(sentencesIn(right)).toEqual([]);
});
