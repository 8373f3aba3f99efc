import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Files whose own sentences stay, and why. The list only gets shorter. */
const exceptions = [
  // A code list: the code and what it means are one row.
  "task/model/code-words.ts",
  "task/model/decision-times.ts",
  "task/model/decline-code.ts",
  "task/model/determination.ts",
  "payer/requested-items.ts",
  // The names of the fields of a request, beside the fields.
  "task/model/further-details.ts",
  "task/model/required-fields.ts",
  // What a payer receives.
  "payer/manual.ts",
  "payer/pas-fhir/subscribe.ts",
  "payer/split-note.ts",
  // A receipt is checked without the service, and so without its catalogs.
  "gate/receipt/receipt.ts",
  "gate/receipt/verify.ts",
  // One line of a rule, as the audit log keeps it.
  "practice/directory/set-payer-rules.ts",
  // Logged, or hashed, and shown to nobody.
  "payer/inbox/receive-push.ts",
  "submission/ledger/guard.ts",
] as const;

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
    return /\.(?:trace|debug|info|warn|error|fatal)$|^assert$/.test(node.expression.getText());
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
  const listed: readonly string[] = exceptions;
  expect(found.filter(({ file }) => !listed.includes(file))).toEqual([]);
  expect(exceptions.filter((file) => !found.some((each) => each.file === file))).toEqual([]);
});

test("a sentence is found wherever it stands, and what only engineers read is none", () => {
  const wrong = 'refuse({ problem: "must be one line" }); const why = `The payer answered HTTP ${status}.`;';
  expect(sentencesIn(wrong)).toHaveLength(2);
  const right =
    'log.info({ at }, "a payer was asked again"); assert(x, "a task has its gate"); const word = "held again";';
  expect(sentencesIn(right)).toEqual([]);
});
