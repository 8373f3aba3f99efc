/** The text of a key that comes from outside, such as a page's address; undefined for a key that the catalog lacks. */
export function knownText(texts: Readonly<Record<string, string>>, key: unknown): string | undefined {
  return typeof key === "string" && Object.hasOwn(texts, key) ? texts[key] : undefined;
}
