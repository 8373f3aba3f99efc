/** A member of params that are not checked yet; undefined where there is none. */
export function memberAt(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // Safe because the line above found the member.
  return (value as Readonly<Record<string, unknown>>)[name];
}
