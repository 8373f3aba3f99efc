import type { Attention } from "#lib/task/model/task";

const words: Readonly<Record<Attention, string>> = {
  unconfirmed: "nobody knows whether the payer has it",
  "contact-payer": "the payer asks to be contacted",
  "send-by-hand": "it is to be sent by hand",
  "channel-revoked": "its channel is gone, so somebody must adopt it",
  "late-answer": "the payer answered after it had ended",
  "unordered-answer": "the payer's answers cannot be put in order",
  "lost-submission": "the payer may have a submission that is not on record",
  "unreadable-answer": "the payer's answer cannot be read",
};

/** Why a person must see to a case, as the end of a sentence. */
export function attentionReasons(attention: string): string {
  return Object.hasOwn(words, attention) ? words[attention as Attention] : "somebody must see to it";
}
