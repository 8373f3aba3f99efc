/** The text, or undefined if it is empty or only white space, which payers do not accept. */
export function nonBlank(text: string | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}
