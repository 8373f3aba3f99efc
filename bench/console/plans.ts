import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup/files.mjs";
import type { Line } from "./lines.ts";

/** Postgres writes how it carried out each statement, with what it touched, into its log. */
export const explaining = {
  session_preload_libraries: "auto_explain",
  ...{ "auto_explain.log_min_duration": 0, "auto_explain.log_format": "json", "auto_explain.log_analyze": "on" },
  ...{ "auto_explain.log_buffers": "on", "auto_explain.log_timing": "off", "auto_explain.log_parameter_max_length": 0 },
};

type Node = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly Node[];
};
type ExplainedPlan = { readonly "Query Text": string; readonly Plan: Node };

/** The plans in a log of Postgres. */
export function plansIn(log: string): readonly ExplainedPlan[] {
  return log.split(/^.*duration: [\d.]+ ms {2}plan:\n/m).flatMap((text, index) => {
    if (index === 0) return [];
    const lines = text.split("\n");
    const end = lines.findIndex((line) => !line.startsWith("\t"));
    // Safe because auto_explain writes it so.
    return [JSON.parse(lines.slice(0, end === -1 ? undefined : end).join("\n")) as ExplainedPlan];
  });
}

/** Tables that grow with the cases; the others are of a practice's own size. */
const growing = [
  ...[
    "task",
    "task_event",
    "revision",
    "message",
    "gate",
    "vote",
    "gate_opened",
    "reading",
    "transmission",
    "payer_event",
  ],
  ...[
    "determination",
    "audit_entry",
    "decision_receipt",
    "attachment",
    "revision_attachment",
    "decision_key",
    "case_note",
    "closed_code",
  ],
];

/** Fewer blocks than these hold no table worth an index: Postgres is right to read it whole. */
const smallBlocks = 8;

/** Whether each statement of the console went along indexes whose schema comments say what they serve. */
export function planLines(plans: readonly ExplainedPlan[]): readonly Line[] {
  const served = servingIndexes();
  const wrong = new Map<string, string>();
  for (const { Plan, "Query Text": text } of plans) {
    for (const node of nodesOf(Plan)) {
      const problem = problemOf(node, served);
      if (problem !== undefined) wrong.set(`${problem}: ${briefly(text)}`, text);
    }
  }
  const statements = new Map<string, number>();
  for (const { Plan, "Query Text": text } of plans) {
    const blocks = (Plan["Shared Hit Blocks"] ?? 0) + (Plan["Shared Read Blocks"] ?? 0);
    statements.set(briefly(text), Math.max(blocks, statements.get(briefly(text)) ?? 0));
  }
  const most = [...statements].toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  return [
    {
      what: "statements that read no large table whole",
      got: wrong.size === 0 ? `all ${statements.size}` : `${wrong.size} do not`,
      ...{ limit: "all", ok: wrong.size === 0 },
    },
    ...[...wrong.keys()].map((what) => ({ what, got: "", limit: "none", ok: false })),
    ...most.map(([what, blocks]) => ({ what: `most read: ${what}`, got: `${blocks} blocks`, limit: "", ok: true })),
  ];
}

function problemOf(node: Node, served: ReadonlySet<string>): string | undefined {
  const { "Node Type": type, "Relation Name": table = "", "Index Name": index } = node;
  if (type.endsWith("Seq Scan") && growing.includes(table)) {
    const blocks = (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
    return blocks > smallBlocks ? `reads all of ${table}` : undefined;
  }
  if (index === undefined || served.has(index) || index.endsWith("_pkey")) return undefined;
  return `goes along ${index}, which says not what it serves`;
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** The indexes of the schema whose comment says what they serve. */
function servingIndexes(): ReadonlySet<string> {
  const schema = readFileSync(join(root, "prisma", "schema.prisma"), "utf8");
  const found = schema.matchAll(/\/\/\/ serves: [^\n]*\n[^\n]*map: "(\w+)"/g);
  return new Set([...found].map(([, name = ""]) => name));
}

function briefly(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 90);
}
