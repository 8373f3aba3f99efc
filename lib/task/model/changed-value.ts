/** The value a change holds as JSON text; undefined where there was none. */
export function valueOf(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  // Safe because a change holds the JSON text of a leaf.
  const value = JSON.parse(json) as unknown;
  return typeof value === "string" ? value : json;
}
