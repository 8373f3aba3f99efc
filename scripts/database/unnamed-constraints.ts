/** Postgres 18 is the first to name NOT NULL as a constraint; before it there is nothing of that name to rename. */
const namesNotNull = 180_000;

const renamesNotNull = /^ALTER\s+TABLE\s+\S+\s+RENAME\s+CONSTRAINT\s+\w+_not_null\s+TO\s+\w+_not_null\s*;?\s*$/i;

/** Whether a statement of a migration is about something that a server of this version does not have. */
export function isAboutNothing(text: string, serverVersion: number): boolean {
  const bare = text.replaceAll(/--[^\n]*/g, "").trim();
  return serverVersion < namesNotNull && renamesNotNull.test(bare);
}
