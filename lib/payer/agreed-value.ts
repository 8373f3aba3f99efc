/** The only distinct value; undefined if there is none or they differ. */
export function agreedValue(values: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(values.filter((value) => value !== undefined));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/** The day of a date or date-time, YYYY-MM-DD. */
export function dayOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : undefined;
}
