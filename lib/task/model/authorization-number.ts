import type { Determination } from "./determination.ts";

/** An authorization number as it is compared: letters and digits alone, because payers write hyphens now here, now there. */
export function comparedNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** The authorization numbers of a determination as they are compared, that of the whole and those of lines, each once. */
export function numbersOf({
  authorizationNumber,
  lines,
}: Pick<Determination, "authorizationNumber" | "lines">): readonly string[] {
  const given = [authorizationNumber ?? "", ...lines.map(({ number = "" }) => number)];
  return [...new Set(given.map(comparedNumber))].filter((number) => number !== "");
}

/** Whether a payer can mean one authorization alone by it: "NOT REQUIRED" and "0000" stand on many, and are no number. */
export function namesOneAuthorization(number: string): boolean {
  return number.length >= 4 && /\d/.test(number) && new Set(number).size > 1;
}
