import { createHash } from "node:crypto";
import type { ReceivedFile } from "#lib/task/model/attachment";
import { cleanName } from "#lib/task/model/file-name";
import { ok, refuse, type Result } from "#lib/platform/result";
import { sniff } from "#lib/task/model/sniff";
import { caseProblems } from "#lib/messages/problems/reviewer";
import type { Refusal } from "./refusal.ts";

/** A document that a person uploads, such as a scanned letter or a saved portal page. */
export type GivenDocument = { readonly name?: string | undefined; readonly bytes: Uint8Array };

/** The largest document that a person may upload, in bytes: what a form may have, with room for its other fields. */
const documentBytesMax = 8 * 1024 * 1024;

const kinds: readonly string[] = ["application/pdf", "image/png", "image/jpeg"];

/** The document as it is stored, whatever it was called. Refused as `invalid` for another type, or too many bytes. */
export function readDocument({ name, bytes }: GivenDocument): Result<ReceivedFile, Refusal> {
  const no = (problem: string) => refuse({ type: "invalid", issues: [{ path: "document", problem }] } as const);
  if (bytes.length > documentBytesMax) return no(caseProblems.eightMegabytes);
  const found = sniff(bytes);
  if (!("type" in found) || !kinds.includes(found.type)) return no(caseProblems.documentType);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return ok({ sha256, contentType: found.type, size: bytes.length, name: cleanName(name), bytes });
}
