import { isTextSignedBy, type ReceiptKey, type SigningKey } from "#lib/platform/signing-keys";
import { receiptText, type Receipt, type UnsignedReceipt } from "./receipt.ts";

/** Ed25519 (RFC 8032) over the RFC 8785 form of the receipt without its signature. */
export function signReceipt(signer: SigningKey, receipt: Omit<UnsignedReceipt, "kid">): Receipt {
  const unsigned: UnsignedReceipt = { ...receipt, kid: signer.key.kid };
  return { ...unsigned, signature: signer.signText(receiptText(unsigned)) };
}

/** Whether this key made the signature. */
export function isSignedBy(key: ReceiptKey, { signature, ...unsigned }: Receipt): boolean {
  return isTextSignedBy(key, receiptText(unsigned), signature);
}
