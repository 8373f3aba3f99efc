import { contentDigest } from "#lib/a2a/params/canonical";
import { gateDigest, revisionDigest } from "#lib/payer/digest";
import { marks, type Specimen } from "./specimens.ts";
import { isSealed, type Column, type SpecimenRow, type SpecimenTable } from "./read-specimen.ts";
import { cutter, fill, sha256, type Filling, type Template } from "./template.ts";

/** The first marks of every mould, in the order in which a copy gives their values. */
export const ownMarks = [
  "taskId",
  "shortId",
  "member",
  "family",
  "given",
  "code",
  "reference",
  "practiceId",
  "payerId",
  "routeId",
  "assigneeId",
] as const;

type Call = { readonly method: string; readonly url: Template; readonly contentType: string; readonly body: Template };

/** A value of a row: an instant in milliseconds, a text, or what is sealed when the row is written. */
export type Cell =
  | { readonly type: "empty" | "hash" }
  | { readonly type: "instant"; readonly ms: number }
  | { readonly type: "text" | "sealed"; readonly text: Template }
  | { readonly type: "calls"; readonly calls: readonly Call[] };

export type MouldTable = Pick<SpecimenTable, "name" | "columns"> & { readonly rows: readonly (readonly Cell[])[] };

/** A case to be copied, with all that a copy has of its own cut out. */
export type Mould = {
  readonly specimen: Specimen;
  readonly tables: readonly MouldTable[];
  /** How many ids follow the first marks; digests follow them. */
  readonly idCount: number;
  /** Each digest of the case by what it is a digest of, so that it follows from the copy's own bytes. */
  readonly digests: readonly ((filling: Filling) => string)[];
  /** When the case began and when something last happened to it. */
  readonly fromMs: number;
  readonly toMs: number;
};

/** Ids of rows and messages: each copy has its own. */
const idColumns: Readonly<Record<string, readonly string[]>> = {
  task: ["context_id"],
  message: ["id", "message_id"],
  gate: ["id"],
  payer_event: ["id"],
  determination: ["id"],
  decision_receipt: ["id"],
};

type Of = { readonly specimenPractice: string; readonly assigneeId: string };

export function mouldOf(specimen: Specimen, tables: readonly SpecimenTable[], of: Of): Mould {
  const rowsOf = (name: string) => tables.find((table) => table.name === name)?.rows ?? [];
  const [task] = rowsOf("task");
  const routeId = rowsOf("gate").find(({ values }) => values["route_id"])?.values["route_id"];
  const { family, given, code, reference } = marks;
  const own = [
    ...[specimen.taskId, specimen.taskId.slice(-8), specimen.member, family, given, code, reference],
    ...[of.specimenPractice, task?.values["payer_id"] ?? "", routeId ?? "no route", of.assigneeId],
  ];
  const ids = Object.entries(idColumns).flatMap(([name, columns]) =>
    rowsOf(name).flatMap(({ values }) => columns.flatMap((column) => values[column] ?? [])),
  );
  const known = digestsOf(rowsOf);
  const cut = cutter([...own, ...ids, ...known.keys()]);
  const digests = [...known.values()].map((derive) => derive(cut));
  const moments = tables.flatMap(({ columns, rows }) => rows.flatMap((row) => pastInstants(columns, row)));
  return {
    specimen,
    tables: tables.map(({ name, columns, rows }) => ({
      ...{ name, columns },
      rows: rows.map((row) => columns.map((column) => cellOf(cut, { column, row }))),
    })),
    idCount: ids.length,
    digests,
    fromMs: Math.min(...moments),
    toMs: Math.max(...moments),
  };
}

type Cut = (text: string) => Template;
type Derive = (cut: Cut) => (filling: Filling) => string;

/** What the digests of a case are digests of; each is worked out here too, so that a copy's is what the service would write. */
function digestsOf(rowsOf: (name: string) => readonly SpecimenRow[]): ReadonlyMap<string, Derive> {
  const all = new Map<string, Derive>();
  const add = (digest: string | null | undefined, derive: Derive) => {
    const found = derive((text) => [text])({ values: [], shift: (ms) => ms });
    if (digest !== found) throw new Error("A digest of a specimen is not what it should be a digest of.");
    all.set(digest, derive);
  };
  const hashOf =
    (text: string): Derive =>
    (cut) => {
      const template = cut(text);
      return (filling) => sha256(fill(template, filling));
    };
  for (const { values, opened } of rowsOf("revision")) {
    add(values["digest"], (cut) => {
      const review = cut(opened["service_review"] ?? "");
      return (filling) => revisionDigest(Buffer.from(fill(review, filling)), []);
    });
  }
  for (const { values, opened } of rowsOf("message")) {
    add(values["content_digest"], (cut) => {
      const body = cut(opened["body"] ?? "");
      return (filling) => contentDigestOf(fill(body, filling));
    });
  }
  for (const { values, opened } of rowsOf("gate")) {
    for (const { body } of callsIn(opened)) add(sha256(body), hashOf(body));
    add(values["digest"], (cut) => gateDigestOf(cut, { values, opened }));
  }
  // What a payer said is known by its meaning: of a determination that is the document itself.
  const documents = rowsOf("determination").map(({ opened }) => opened["document"] ?? "");
  for (const { values } of rowsOf("payer_event")) {
    const document = documents.find((text) => sha256(text) === values["digest"]);
    if (document !== undefined) add(values["digest"], hashOf(document));
  }
  return all;
}

function contentDigestOf(body: string): string {
  // Safe because only the edge writes a message's body, from an object.
  return contentDigest(JSON.parse(body) as object, Buffer.from(body));
}

function gateDigestOf(cut: Cut, { values, opened }: SpecimenRow): (filling: Filling) => string {
  const calls = callsIn(opened).map((call) => ({ ...call, url: cut(call.url), body: cut(call.body) }));
  const taskId = cut(values["task_id"] ?? "");
  return (filling) =>
    gateDigest({
      taskId: fill(taskId, filling),
      action: values["action"] === "void" ? "void" : "transmit",
      revision: Number(values["revision"]),
      environment: "test",
      routeVersion: Number(values["route_version"]),
      calls: calls.map(({ method, url, body }) => ({
        ...{ method, url: fill(url, filling), documentDigest: sha256(fill(body, filling)) },
      })),
      attachments: [],
    });
}

/** The frozen calls as they are kept, with their bodies as text. */
function callsIn(opened: SpecimenRow["opened"]) {
  // Safe because only `sealCalls` writes this column, from this type, under authentication.
  const calls = JSON.parse(opened["calls"] ?? "[]") as {
    method: string;
    url: string;
    contentType: string;
    text?: string;
    body?: string;
  }[];
  return calls.map(({ text, body = "", ...call }) => ({
    ...call,
    body: text ?? Buffer.from(body, "base64").toString(),
  }));
}

function cellOf(cut: Cut, { column, row }: { column: Column; row: SpecimenRow }): Cell {
  const value = row.values[column.name] ?? null;
  if (value === null) return { type: "empty" };
  if (column.name === "calls") {
    const calls = callsIn(row.opened).map((call) => ({ ...call, url: cut(call.url), body: cut(call.body) }));
    return { type: "calls", calls };
  }
  if (isSealed(column)) return { type: "sealed", text: cut(row.opened[column.name] ?? "") };
  if (column.type === "bytea") return { type: "hash" };
  if (isTime(column)) return { type: "instant", ms: instantIn(value) };
  return { type: "text", text: cut(value) };
}

const isTime = ({ type }: Column) => type.startsWith("timestamp") || type === "date";

function instantIn(value: string): number {
  return Date.parse(value.includes(" ") ? value.replace(" ", "T").replace(/\+00$/, "Z") : `${value}T00:00:00Z`);
}

function pastInstants(columns: readonly Column[], { values }: SpecimenRow): readonly number[] {
  return columns
    .filter(({ type }) => type.startsWith("timestamp"))
    .flatMap(({ name }) => (values[name] ? [instantIn(values[name])] : []))
    .filter((ms) => ms <= Date.now());
}
