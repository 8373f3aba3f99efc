/** Whether a text may be compared with ids in a statement: Postgres refuses the whole statement for one that is none. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** A UUID as the database writes it (RFC 9562, section 4), so that ids can be compared as texts; any other text as it is. */
export function lowerCaseUuid(text: string): string {
  return isUuid(text) ? text.toLowerCase() : text;
}
