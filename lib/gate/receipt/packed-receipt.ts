import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { assert } from "#lib/platform/result";

/** The first byte of a packed receipt, which says how it is packed; `seal_format` names the time from which on it is written. */
export const receiptFormat = 5;

/**
 * What receipts have in common, for Zstandard (RFC 8878, section 5). Receipts of format 5 open with exactly this text, so it is
 * never changed: another one takes another format.
 */
export const receiptDictionary =
  '"answer":"decline""answer":"send-back""decision":"declined""decision":"sent-back""decision":"recalled"' +
  '"decision":"adopted""action":"void""environment":"live""previousReceiptHash":null,"update":true,' +
  '{"action":"transmit","audit":{"hash":"","sequence":1},"decidedAt":"2026-12-01T00:00:00.000Z",' +
  '"decidedBy":{"id":"01a2-7000-8","name":""},"decision":"released","documentDigests":[""],"environment":"live",' +
  '"gateDigest":"","gateId":"01a2-7000-8","id":"01a2-7000-8","kid":"","practiceId":"practice-",' +
  '"previousReceiptHash":"","revision":1,"revisionDigest":"","sequence":1,"signature":"","taskId":"01a2-7000-8",' +
  '"update":false,"version":1,"votes":[{"answer":"release","at":"2026-12-01T00:00:00.000Z","person":{"id":"01a2-7000-8",' +
  '"name":""}}],"votesNeeded":1}';

const dictionary = Buffer.from(receiptDictionary);

/** The format says which dictionary it is, so the value needs no number of it. */
const params = { [constants.ZSTD_c_dictIDFlag]: 0 };

/** Far longer than a receipt with every vote and document there can be. */
const textBytesMax = 1_048_576;

/** A receipt's canonical text in less than half its length; `textOfReceipt` gives back the same bytes. */
export function packedReceipt(text: string): Uint8Array<ArrayBuffer> {
  assert(Buffer.byteLength(text) <= textBytesMax, "a receipt is no longer than what opens again");
  return Buffer.concat([Buffer.of(receiptFormat), zstdCompressSync(text, { params, dictionary })]);
}

/** A receipt as it is kept: packed, or as text where a program before November 27, 2026 issued it. */
export type KeptReceipt = { readonly document: string | null; readonly packed: Uint8Array | null };

/** The canonical text of a receipt, exactly as issued. Throws where it was changed, or its form is of a later release. */
export function textOfReceipt({ document, packed }: KeptReceipt): string {
  if (document !== null) return document;
  assert(packed?.[0] === receiptFormat, "a receipt is kept in one of the forms there are");
  const bytes = zstdDecompressSync(packed.subarray(1), { maxOutputLength: textBytesMax, dictionary });
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The same, and undefined where it throws: one that was changed where it is kept must not keep others from being had. */
export function openReceipt(kept: KeptReceipt): string | undefined {
  try {
    return textOfReceipt(kept);
  } catch {
    return undefined;
  }
}
