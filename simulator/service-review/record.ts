import type { Case, CaseItem } from "#simulator/core/case";
import type { Message } from "#simulator/core/ledger";
import type { Action } from "#simulator/core/scenarios";
import { validityOf } from "#simulator/core/validity";
import { nodesAt, type Node } from "#simulator/json";
import { documentOf } from "./document.ts";
import { updatableFields } from "./fields.ts";

/** How long the clearinghouse works on what it took before the payer's answer is in: 3 s of the payer's clock. */
const worksMs = 3_000;

const dayMs = 24 * 60 * 60 * 1000;

/** How long a record is kept under its id, in days; a search finds it for ever. */
const keptDays = 30;

/** A case with the messages that made it. */
export type KeptCase = { readonly case: Case; readonly messages: readonly Message[] };

/** X12 306 in our own words. */
const statuses: Readonly<Record<Action, string>> = {
  A1: "Certified as requested",
  A2: "Certified in part",
  A3: "Not certified",
  A4: "Pended",
  A6: "Certified with changes",
  C: "Cancelled",
  CT: "Contact the payer",
  NA: "No certification required",
};

/** The clearinghouse has no answer of the payer yet. */
export function isWorking({ case: of, messages }: KeptCase, now: Date): boolean {
  const taken = messages.filter(({ rejection }) => rejection === undefined).at(-1);
  const fresh = taken !== undefined && taken.kind !== "void" && now.getTime() < Date.parse(taken.at) + worksMs;
  return fresh || of.state === "voiding" || of.state === "held";
}

export function isExpired({ case: of }: KeptCase, now: Date): boolean {
  return now.getTime() >= Date.parse(of.receivedAt) + keptDays * dayMs;
}

/** After a denial, a rejection or a void there is nothing left to change. */
export function isOpen({ case: of }: KeptCase): boolean {
  return (of.state === "pended" || of.state === "decided") && of.items.some(({ action }) => action !== "A3");
}

/** The document as it was last taken. */
export function currentDocument({ messages }: KeptCase): Node {
  const taken = messages.filter(({ kind, rejection }) => kind !== "void" && rejection === undefined).at(-1);
  return taken ? documentOf(taken) : {};
}

/** A case as this wire hands it back: the document it was given, and what the payer says to it. */
export function recordOf(kept: KeptCase, now: Date): Node {
  const { case: of } = kept;
  const refused = kept.messages.find(({ identity }) => identity === of.refusal?.identity);
  const document = refused && refused.kind !== "void" ? documentOf(refused) : currentDocument(kept);
  const record: Node = {
    id: of.id,
    ...document,
    referenceNumber: of.reference,
    traceNumbers: [of.reference],
    createdDate: stamp(of.receivedAt),
    updatedDate: stamp(of.refusal?.at ?? of.decidedAt ?? of.receivedAt),
    expirationDate: stamp(new Date(Date.parse(of.receivedAt) + keptDays * dayMs).toISOString()),
    updatable: isOpen(kept),
    updatableFields: isOpen(kept) ? updatableFields : [],
    deletable: isOpen(kept),
  };
  if (isWorking(kept, now)) return { ...record, statusCode: "0", status: "In progress" };
  const rejection = refused?.rejection ?? of.rejection;
  if (rejection) return { ...record, ...rejected(rejection) };
  return { ...record, ...answered(of, document) };
}

/** The member id's beginning chooses where the answer stands, for senders differ: on the whole, on the lines, or on both. */
function answered(of: Case, document: Node): Node {
  const reading = /^(?:prog|head)(?=-)/i.exec(of.memberId)?.[0].toLowerCase();
  const whole = wholeOf(of.items.map(({ action }) => action));
  const lines = nodesAt(document, "procedures").map((procedure, index) => {
    const item = of.items[index];
    return item === undefined || reading === "head" ? procedure : { ...procedure, ...lineOf(of, item) };
  });
  const head = reading === "prog" ? { statusCode: "4", status: "Complete" } : headOf(whole);
  const notes = [
    ...(of.note === undefined ? [] : [of.note]),
    ...(of.requestedDocuments.length > 0 ? ["Documents are wanted: the notes of the last visits."] : []),
  ];
  return {
    ...head,
    statusReasons: reasonsOf(of, whole),
    ...(isCertified(whole) ? certification(of) : {}),
    ...(notes.length > 0 ? { payerNotes: notes.map((message) => ({ message })) } : {}),
    procedures: lines,
  };
}

function lineOf(of: Case, { action, authorized }: CaseItem): Node {
  return {
    ...headOf(action),
    statusReasons: reasonsOf(of, action),
    ...(isCertified(action) ? { certificationNumber: of.authorizationNumber } : {}),
    ...(authorized ? { quantity: String(authorized.quantity), quantityTypeCode: authorized.unit } : {}),
  };
}

function headOf(action: Action): Node {
  return { statusCode: action, status: statuses[action] };
}

/** One action for all lines: their own where they agree, else pended, changed or in part. */
function wholeOf(actions: readonly Action[]): Action {
  const [first = "A4"] = actions;
  if (actions.every((action) => action === first)) return first;
  if (actions.includes("A4")) return "A4";
  return actions.includes("A6") ? "A6" : "A2";
}

function isCertified(action: Action): boolean {
  return action === "A1" || action === "A2" || action === "A6";
}

function certification(of: Case): Node {
  const { start, end } = validityOf(of);
  return {
    certificationNumber: of.authorizationNumber,
    certificationIssueDate: (of.decidedAt ?? of.receivedAt).slice(0, 10),
    certificationEffectiveDate: start,
    certificationExpirationDate: end,
  };
}

/** X12 886: 0U more about the patient is wanted. */
function reasonsOf(of: Case, action: Action): readonly Node[] {
  if (action === "A3" && of.reason !== undefined) return [{ code: of.reason }];
  return action === "A4" && of.requestedDocuments.length > 0 ? [{ code: "0U" }] : [];
}

const places = { member: "subscriber.memberId", item: "procedures.code", request: "id" } as const;

function rejected({ reject, about }: NonNullable<Case["rejection"]>): Node {
  const errorMessage = `The payer did not process the request (AAA ${reject}).`;
  return {
    statusCode: "19",
    status: "Request error",
    validationMessages: [{ field: places[about], code: reject, errorMessage }],
  };
}

/** ISO 8601 as the vendor writes it: an offset without a colon. */
function stamp(instant: string): string {
  return instant.replace("Z", "+0000");
}
