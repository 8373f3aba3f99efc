/** A JSON text's value with every number as an exact fraction, so that nothing JavaScript rounds can look equal. */
export function exactValue(text: string): unknown {
  // TypeScript 6 does not know the reviver's third argument (ECMAScript's JSON.parse source text access).
  const reviver = ((_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === "number" ? fractionOf(source ?? "") : value) as (key: string, value: unknown) => unknown;
  return JSON.parse(text, reviver);
}

/** The value of a JSON number in lowest terms, with its sign even at zero. */
export function fractionOf(source: string): string {
  const [mantissa = "", power = "0"] = source.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^-?0*/, "");
  const trimmed = digits.replace(/0+$/, "");
  if (trimmed === "") return whole.startsWith("-") ? "-0" : "0";
  return `${whole.startsWith("-") ? "-" : ""}${trimmed}e${Number(power) - fraction.length + digits.length - trimmed.length}`;
}
