/**
 * What is wrong with a field whoever fills it in: each ends a sentence that begins with the field's name. What only one
 * audience is told is in that audience's own catalog.
 */
export const problems = {
  required: "is required",
  filledIn: "must be filled in",
  notEmpty: "must not be empty",
  notBlank: "must have a character that shows",
  plainText: "must be plain text",
  noControlCharacters: "must not contain control characters",
  charactersMax: (max: number) => `must be at most ${max} characters`,
  number: "must be a number",
  wholeNumber: "must be a whole number",
  whole: (unit: "seconds" | "hours" | "days") => `must be whole ${unit}`,
  atLeast: (min: number) => `must be at least ${min}`,
  atMost: (max: number) => `must be at most ${max}`,
  atMostOf: (max: number, what: string) => `must be at most ${max} ${what}`,
  listMax: (max: number, what: string) => `must have at most ${max} ${what}`,
  oneMoreThan: (max: number) => `would be one more than ${max}`,
  be: (what: string) => `must be ${what}`,
  of: (choices: readonly string[]) => `must be of ${choices.join(", ")}`,
  oneOf: (choices: readonly string[]) => `must be one of ${choices.join(", ")}`,
  eitherOf: (choices: readonly string[]) => `must be ${choices.join(" or ")}`,
  npi: "must be a 10-digit NPI with a valid check digit",
  httpsAddress: "must be an address that begins with https://",
} as const;
