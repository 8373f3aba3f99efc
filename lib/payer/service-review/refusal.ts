import { reviewReasons } from "#lib/messages/reasons/service-review-reply";
import type { FieldError, Refusal } from "./reply.ts";

/** Longest text of theirs that is repeated for one error. */
const charactersMax = 200;

/** What an error envelope refuses, in the sender's words: each error with where and what, at most five. */
export function reasonOf({ userMessage, developerMessage, errors }: Refusal): string {
  if (errors.length > 0) return errors.slice(0, 5).map(errorText).join("; ");
  return clean(userMessage ?? developerMessage ?? "") || reviewReasons.noReasonGiven;
}

/** One error as a person reads it: the field, the code, the message. */
export function errorText({ field, code, errorMessage, index }: FieldError): string {
  const where = field === undefined ? "" : `${clean(field)}${index === undefined ? "" : `[${index}]`}: `;
  const what = errorMessage === undefined ? "" : clean(errorMessage);
  const number = code === undefined ? "" : `(${clean(code)})`;
  return `${where}${[what, number].filter((part) => part !== "").join(" ") || "refused"}`;
}

function clean(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, charactersMax);
}
