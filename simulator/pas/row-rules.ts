import { createHash } from "node:crypto";
import { codeAt, extensionAt, isNode, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { certificationOf } from "./item-rules.ts";
import { broken, type Problem, type Request, type Rule } from "./request.ts";
import { urls } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

/** The two lists whose entries keep their sequence through every update. */
export type RowsName = "item" | "supportingInfo";

/** One entry of such a list, as far as updates look at it. */
export type Row = {
  readonly sequence: number;
  /** SHA-256 of what it says, without its flags and addresses. */
  readonly digest: string;
  readonly service: string | undefined;
  /** It gives the dates of the event, admission or discharge. */
  readonly isDated: boolean;
  readonly isCancelled: boolean;
  readonly changed: string | undefined;
  readonly certification: string | undefined;
};

/** A list of the Claim of a request, or of another Claim in its bundle. */
export function rowsOf(
  request: Request,
  name: RowsName,
  { claim, from }: { readonly claim: Node; readonly from: string } = { claim: request.claim, from: request.claimUrl },
): readonly Row[] {
  return nodesAt(claim, name).map((row) => {
    const changed = extensionAt(row, urls.infoChanged);
    return {
      sequence: numberAt(row, "sequence") ?? 0,
      digest: createHash("sha256")
        .update(contentOf(row, request, from))
        .digest("hex"),
      service: codeAt(row, "productOrService"),
      isDated: "timingDate" in row || "timingPeriod" in row,
      isCancelled: nodesAt(row, "modifierExtension").some(
        (each) => each["url"] === urls.infoCancelled && each["valueBoolean"] === true,
      ),
      changed: changed && (textAt(changed, "valueCode") ?? ""),
      certification: certificationOf(row),
    };
  });
}

type Rows = {
  readonly name: RowsName;
  readonly rows: readonly Row[];
  readonly before: readonly Row[];
  /** The whole request is cancelled on the Claim; its items are only named. */
  readonly cancelsAll: boolean;
  readonly version: PasVersion;
};

/** What is wrong with how a list differs from the version before it. */
export function rowProblems({ name, rows, before, cancelsAll, version }: Rows): readonly Problem[] {
  const compared = rows.map((row) => ({ row, was: before.find(({ sequence }) => sequence === row.sequence), name }));
  const each = (rules: readonly Rule<ComparedRow>[]) =>
    compared.flatMap((of, index) => broken(rules, of, { under: `Claim.${name}[${index}]`, version }));
  // A message may say why.
  if (cancelsAll) return each(name === "item" ? [knownRule] : rowRules);
  const missing = before.filter((was) => !rows.some(({ sequence }) => sequence === was.sequence));
  return [
    ...missing.map(({ sequence }) => ({
      code: "required" as const,
      at: `Claim.${name}`,
      text: `lacks sequence ${sequence} of the version before: what is no longer wanted stays, cancelled`,
    })),
    ...each(rowRules),
  ];
}

type ComparedRow = { readonly row: Row; readonly was: Row | undefined; readonly name: RowsName };

const knownRule: Rule<ComparedRow> = [
  ".sequence",
  "was not asked before, so it cannot be cancelled",
  "not-found",
  ({ was }) => was !== undefined,
];

const rowRules: readonly Rule<ComparedRow>[] = [
  [
    ".extension",
    "has infoChanged that is neither added nor changed",
    "code-invalid",
    ({ row }) => row.changed === undefined || ["added", "changed"].includes(row.changed),
  ],
  [
    ".extension",
    "is new and needs infoChanged added",
    "required",
    ({ row, was }) => was !== undefined || row.changed === "added",
  ],
  [
    ".extension",
    "differs from the version before and needs infoChanged changed",
    "required",
    ({ row, was }) => was === undefined || !differs(row, was) || row.changed === "changed",
    "2.2.1",
  ],
  [
    ".extension",
    "differs from the version before and needs infoChanged changed",
    "required",
    // The official 2.0.1 example cancels an item by infoCancelled alone.
    ({ row, was }) =>
      was === undefined || !differs(row, was) || row.changed === "changed" || (row.isCancelled && !was.isCancelled),
    "2.0.1",
  ],
  [
    ".extension",
    "is as it was and must not have infoChanged",
    "invalid",
    ({ row, was }) => was === undefined || differs(row, was) || row.changed === undefined,
  ],
  [
    ".extension",
    "must have certificationType 3 exactly where infoCancelled is true",
    "invalid",
    ({ row, name }) => name !== "item" || row.isCancelled === (row.certification === "3"),
  ],
  [
    ".modifierExtension",
    "cancels what was not asked before",
    "invalid",
    ({ row, was }) => was !== undefined || !row.isCancelled,
  ],
  [
    ".modifierExtension",
    "was cancelled before and must stay so",
    "invalid",
    // Dates may come back: of each kind a Claim holds one.
    ({ row, was }) => !was?.isCancelled || row.isCancelled || row.isDated,
  ],
  [
    ".productOrService",
    "is another service than before: cancel the item and add one",
    "business-rule",
    ({ row, was }) => was === undefined || row.service === was.service,
  ],
];

function differs(row: Row, was: Row): boolean {
  return row.digest !== was.digest || row.isCancelled !== was.isCancelled;
}

const flags: readonly unknown[] = [urls.infoChanged, urls.certificationType, urls.infoCancelled];

/** What an entry says: a document it points at counts by its content, and an address counts for nothing. */
function contentOf(row: Node, request: Request, from: string): string {
  const target = request.resolve(nodeAt(row, "valueReference"), undefined, from)?.resource ?? {};
  return JSON.stringify([plain(row), plain(target)]);
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isNode(each) || !flags.includes(each["url"])).map(plain);
  if (!isNode(value)) return value;
  const names = Object.keys(value).filter(
    (name) => !["id", "meta", "reference"].includes(name) && !(name === "text" && isNode(value[name])),
  );
  const filled = names.toSorted().map((name) => [name, plain(value[name])] as const);
  return Object.fromEntries(filled.filter(([, each]) => !Array.isArray(each) || each.length > 0));
}
