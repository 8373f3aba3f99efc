/**
 * Whether JavaScript keeps this JSON number as it was written: read into a
 * double and written again in its shortest form (RFC 8785), it has the same
 * decimal value. Minus zero is not kept, since that form has no sign.
 */
export function isExact(source: string): boolean {
  if (isPlain(source)) return true;
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  const [given, kept] = [decimalOf(source), decimalOf(String(value))];
  if (given.digits === "") return kept.digits === "" && !source.startsWith("-");
  return given.negative === kept.negative && given.digits === kept.digits && given.exponent === kept.exponent;
}

/** A double carries every 15 digits (IEEE 754), so what is short and plain needs no closer look. */
function isPlain(source: string): boolean {
  return source.length <= 15 && !/[eE]|^-0/.test(source);
}

type Decimal = { readonly negative: boolean; readonly digits: string; readonly exponent: number };

/** The value as 0.<digits> × 10^exponent, without zeros at either end of the digits. */
function decimalOf(source: string): Decimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source);
  const [, sign = "", whole = "", fraction = "", power = "0"] = match ?? [];
  const all = whole + fraction;
  const begin = all.search(/[1-9]/);
  if (begin < 0) return { negative: sign === "-", digits: "", exponent: 0 };
  return {
    negative: sign === "-",
    digits: all.slice(begin, lastDigit(all)),
    exponent: whole.length - begin + Number(power),
  };
}

/** Where the zeros at the end begin; a loop, because a pattern would try every run of zeros. */
function lastDigit(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return end;
}
