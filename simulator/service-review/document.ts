import type { Item, Review, SentMessage } from "#simulator/core/review";
import type { Message } from "#simulator/core/ledger";
import { isNode, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";

/** The name of this wire to the payer. */
export const faceName = "service-review";

/** The contract has no member for a sender's own number; one that stands in a note of this form is entered in the ledger. */
const traceForm = /^Trace number (\S{1,50})$/;

/** A valid document as the payer reads it. */
export function reviewOf(document: Node): Review {
  return {
    memberId: memberIdOf(document),
    requesterNpi: textAt(nodeAt(document, "requestingProvider"), "npi"),
    diagnoses: nodesAt(document, "diagnoses").flatMap((each) => textAt(each, "code") ?? []),
    items: nodesAt(document, "procedures").map((procedure, index) => itemOf(procedure, index, document)),
    attachments: [],
    notes: notesOf(document).filter((note) => !traceForm.test(note)),
  };
}

type ArrivedReview = {
  readonly method: string;
  readonly path: string;
  readonly sha256: string;
  /** The whole document as it stands once this is taken. */
  readonly document: Node;
};

/** A message of this wire has no name of its own: each is new, however often its bytes came before. */
export function sentOf({ method, path, sha256, document }: ArrivedReview): SentMessage {
  return { face: faceName, method, path, identity: undefined, trace: traceOf(document), sha256, echo: { document } };
}

/** What this wire kept of a message: the whole document after it. */
export function documentOf({ echo }: Message): Node {
  return isNode(echo["document"]) ? echo["document"] : {};
}

/** The sender's last number for the request. */
export function traceOf(document: Node): string | undefined {
  return notesOf(document)
    .flatMap((note) => traceForm.exec(note)?.[1] ?? [])
    .at(-1);
}

export function memberIdOf(document: Node): string {
  return textAt(nodeAt(document, "subscriber"), "memberId") ?? "";
}

function notesOf(document: Node): readonly string[] {
  return nodesAt(document, "providerNotes").flatMap((note) => textAt(note, "message") ?? []);
}

function itemOf(procedure: Node, index: number, document: Node): Item {
  const amount = textAt(procedure, "quantity");
  const modifiers = ["modifierCode1", "modifierCode2", "modifierCode3", "modifierCode4"];
  return {
    sequence: index + 1,
    code: textAt(procedure, "code") ?? "",
    codeSystem: textAt(procedure, "qualifierCode"),
    modifiers: modifiers.flatMap((name) => textAt(procedure, name) ?? []),
    quantity: amount === undefined ? undefined : Number(amount),
    unit: textAt(procedure, "quantityTypeCode"),
    from: textAt(procedure, "fromDate") ?? textAt(document, "fromDate"),
    to: textAt(procedure, "toDate") ?? textAt(document, "toDate"),
    cancelled: false,
  };
}
