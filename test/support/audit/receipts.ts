import { createHash } from "node:crypto";
import { openSigningKey, type SigningKey } from "#lib/platform/signing-keys";
import { type Receipt, receiptHash, receiptText, signReceipt } from "#lib/gate/receipt/receipt";

const hex = (text: string) => createHash("sha256").update(text).digest("hex");
const uuid = (index: number) => `01970000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`;

/** A signer of the test's own. */
export function aSigner(name: string): SigningKey {
  return openSigningKey(createHash("sha256").update(name).digest());
}

type ReceiptOptions = { readonly signer: SigningKey; readonly practiceId?: string; readonly count: number };

/** The first receipts of a practice, each following the one before it, as they are issued. */
export function aChain({ signer, practiceId = "elm", count }: ReceiptOptions): string[] {
  const texts: string[] = [];
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const previous = texts.at(-1);
    texts.push(
      receiptText(
        aReceipt(signer, { sequence, practiceId, previousReceiptHash: previous ? receiptHash(previous) : null }),
      ),
    );
  }
  return texts;
}

export function aReceipt(signer: SigningKey, given: Partial<Receipt>): Receipt {
  const sequence = given.sequence ?? 1;
  const decidedAt = new Date(Date.UTC(2027, 0, 4, 15, 0, sequence)).toISOString();
  const person = { id: uuid(7), name: "Dana Whitfield" };
  return signReceipt(signer, {
    version: 1,
    id: uuid(sequence),
    practiceId: "elm",
    sequence,
    previousReceiptHash: null,
    taskId: uuid(1_000 + sequence),
    gateId: uuid(2_000 + sequence),
    action: "transmit",
    update: false,
    environment: "test",
    revision: 1,
    revisionDigest: hex(`revision ${sequence}`),
    gateDigest: hex(`gate ${sequence}`),
    documentDigests: [hex(`document ${sequence}`)],
    decision: "released",
    decidedBy: person,
    decidedAt,
    votesNeeded: 1,
    votes: [{ person, answer: "release", at: decidedAt }],
    audit: { sequence: sequence * 2, hash: hex(`audit ${sequence}`) },
    ...given,
  });
}
