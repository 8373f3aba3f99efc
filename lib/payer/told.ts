/** The value all that have one agree on. */
export function only(values: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(values.filter((value) => value !== undefined));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/** The day that a date or a date-time begins with, YYYY-MM-DD. */
export function day(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : undefined;
}
