/**
 * Whether JavaScript keeps the exact value of this JSON number: read into a double and written in its shortest form
 * (RFC 8785), it has the same decimal value. Minus zero is not exact, because that form drops its sign.
 */
export function isExact(source: string): boolean {
  if (isPlain(source)) return true;
  const value = Number(source);
  if (!Number.isFinite(value)) return false;
  const [given, kept] = [decimalOf(source), decimalOf(String(value))];
  if (given.digits === "") return kept.digits === "" && !source.startsWith("-");
  return given.negative === kept.negative && given.digits === kept.digits && given.exponent === kept.exponent;
}

/** A double holds any 15 decimal digits exactly (IEEE 754), so a short number without exponent needs no comparison. */
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

/** The index where the trailing zeros begin. A loop, because a regular expression would try every run of zeros. */
function lastDigit(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return end;
}
