import { escapeLiteral } from "pg";

/** How a transaction says in which practices it may see and write; the tables' policies read it. */
export function scopeStatement(practices: readonly string[]): string {
  return `SET LOCAL app.practices = ${escapeLiteral(arrayText(practices))}`;
}

/** A store's connections say this, so that what acts for no one person sees every practice; without it none is seen. */
export const everyPractice = "{*}";

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}
