import { escapeLiteral } from "pg";
import { arrayText } from "./array-text.ts";

/** How a transaction says in which practices it may see and write; the tables' policies read it. */
export function scopeStatement(practices: readonly string[]): string {
  return `SET LOCAL app.practices = ${escapeLiteral(scopeText(practices))}`;
}

/** A store's connections say this, so that what acts for no one person sees every practice; without it none is seen. */
export const everyPractice = "{*}";

/** Practices as `app.practices` holds them. */
export function scopeText(practices: readonly string[]): string {
  return arrayText(practices);
}
