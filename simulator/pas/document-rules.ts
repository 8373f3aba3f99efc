import { codeAt, extensionAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "#simulator/json";
import { createHash } from "node:crypto";
import { broken, isFilled, type Problem, type Request, type Rule } from "./request.ts";
import { codes, urls } from "./vocabulary.ts";

/** PAS profile-documentreference over US Core: the document itself comes with the request. */
const documentRules: readonly Rule<Node>[] = [
  [".status", "must be current", "value", (document) => document["status"] === "current"],
  [".type", "needs a code", "required", (document) => codeAt(document, "type") !== undefined],
  [".category", "must be there", "required", (document) => nodesAt(document, "category").length > 0],
  [".subject", "must be there", "required", (document) => isFilled(nodeAt(document, "subject"), ["reference"])],
  [".content", "must not be empty", "required", (document) => attachmentsOf(document).length > 0],
  [
    ".content.attachment.contentType",
    "must be there",
    "required",
    (document) => attachmentsOf(document).every((each) => isFilled(each, ["contentType"])),
  ],
  [
    ".content.attachment.data",
    "must be base64 and not empty",
    "required",
    (document) => attachmentsOf(document).every((each) => bytesOf(each) !== undefined),
  ],
  [
    ".content.attachment.url",
    "must not be there: the content is sent, not pointed at",
    "structure",
    (document) => attachmentsOf(document).every((each) => !("url" in each)),
  ],
  [
    ".content.attachment.size",
    "must be the number of bytes",
    "value",
    (document) =>
      attachmentsOf(document).every(
        (each) => (numberAt(each, "size") ?? bytesOf(each)?.length) === bytesOf(each)?.length,
      ),
  ],
  [
    ".content.attachment.hash",
    "must be the SHA-1 of the bytes in base64",
    "value",
    (document) => attachmentsOf(document).every((each) => (textAt(each, "hash") ?? sha1Of(each)) === sha1Of(each)),
  ],
];

/** What is wrong with the documents of a bundle. */
export function documentProblems({ resources, version }: Request): readonly Problem[] {
  return resources.flatMap(({ resource }, index) =>
    resource["resourceType"] === "DocumentReference"
      ? broken(documentRules, resource, { under: `Bundle.entry[${index}].resource`, version })
      : [],
  );
}

/** The attachments of a DocumentReference. */
export function attachmentsOf(document: Node): readonly Node[] {
  return nodesAt(document, "content").map((content) => nodeAt(content, "attachment"));
}

/** An attachment's own bytes; undefined where it has none. */
export function bytesOf(attachment: Node): Buffer | undefined {
  const data = textAt(attachment, "data") ?? "";
  const isBase64 = data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  return isBase64 ? Buffer.from(data, "base64") : undefined;
}

function sha1Of(attachment: Node): string | undefined {
  const bytes = bytesOf(attachment);
  return bytes && createHash("sha1").update(bytes).digest("base64");
}

/** What kind of supporting information a row is. */
export function categoryOf(row: Node): string {
  return codeAt(row, "category", codes.supporting) ?? "";
}

/** The kind of document by X12 755, from the documentInformation extension. */
export function reportTypeOf(row: Node): string | undefined {
  const information = extensionAt(row, urls.documentInformation) ?? {};
  return codeAt(extensionAt(information, "reportTypeCode") ?? {}, "valueCodeableConcept");
}
