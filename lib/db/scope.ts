import { escapeLiteral } from "pg";

/** What `app.practices` holds where a statement acts across practices; only `acrossPractices` sets it. */
export const everyPractice = "{*}";

/** The practices a statement may see and write: these, or all. */
export type TenantScope = readonly string[] | typeof everyPractice;

/** Sets the practices of a transaction, which the tables' policies read. */
export function scopeStatement(scope: TenantScope): string {
  return scopeStatementOf(scopeText(scope));
}

/** The same, of a scope as `app.practices` holds it. */
export function scopeStatementOf(practices: string): string {
  return `SET LOCAL app.practices = ${escapeLiteral(practices)}`;
}

/** A scope as `app.practices` holds it. A practice named `*` is quoted, so a list never reads as all of them. */
export function scopeText(scope: TenantScope): string {
  return scope === everyPractice ? everyPractice : arrayText(scope);
}

/** All that those who ask in one statement reach together. */
export function scopeTextOfAll(asks: readonly { readonly scope: TenantScope | undefined }[]): string {
  const practices = new Set<string>();
  for (const { scope = [] } of asks) {
    if (scope === everyPractice) return everyPractice;
    for (const practice of scope) practices.add(practice);
  }
  return scopeText([...practices]);
}

/** The one practice of a scope that names no other. */
export function onlyPractice(scope: TenantScope | undefined): string | undefined {
  return scope !== everyPractice && scope?.length === 1 ? scope[0] : undefined;
}

/** A list as Postgres writes an array of text. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}
