/** A text with something to read in it; payers know no other strings. */
export function solid(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}
