import { linesOfBusiness } from "#lib/task/model/decision-times";

/** Whose decision times bind a payer, as people call them. */
export function lineText(line: string | undefined): string {
  const known: Readonly<Record<string, string>> = linesOfBusiness;
  return (line !== undefined && Object.hasOwn(known, line) ? known[line] : undefined) ?? linesOfBusiness.unknown;
}

/** Every line of business as a choice. */
export const lineOptions = Object.entries(linesOfBusiness).map(([value, text]) => ({ value, text }));
