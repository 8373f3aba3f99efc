import { pathCharsMax, shortPath } from "#lib/task/model/short-path";
import { pointerToken } from "#lib/task/model/unknown-members";
import { issuesMax, nestingLevelsMax } from "#lib/a2a/admit/limits";

const problems = {
  inexact: "is a number that would not be kept exactly; use fewer digits, or a string where one may stand",
  twice: "is given twice",
  nul: "holds the character NUL",
  surrogate: "holds half of a surrogate pair",
  name: "is a name that is not accepted",
  deep: `is nested deeper than ${nestingLevelsMax} levels`,
} as const;

/**
 * A part of a JSON text that would not be stored exactly as sent; `path` is a JSON pointer from the root, cut where it is
 * long, and `depth` how many names and indexes lead there.
 */
export type Finding = {
  readonly what: keyof typeof problems;
  readonly path: string;
  readonly depth: number;
  readonly problem: string;
};

/** An object or array that is being read. */
type Frame = {
  /** Names seen so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The index of the member being read, or as much of its name as a path repeats. */
  at: string | number;
};

type Walk = { readonly text: string; readonly frames: Frame[]; readonly findings: Finding[]; expectsName: boolean };

/**
 * Finds every part of a JSON text that would not be stored exactly as sent: numbers that JavaScript rounds, duplicate
 * names, NUL, lone surrogates, `__proto__`, and nesting beyond the limit, where the search stops. The text must be one that
 * JSON.parse accepts. It takes one pass and no recursion.
 */
export function inspect(text: string): readonly Finding[] {
  const walk: Walk = { text, frames: [], findings: [], expectsName: false };
  for (let index = 0; index < text.length && walk.findings.length < issuesMax;) {
    const next = step(walk, index);
    if (next === undefined) break;
    index = next;
  }
  return walk.findings;
}

/** Reads one token; returns where the next begins, or undefined to stop. */
function step(walk: Walk, index: number): number | undefined {
  const char = walk.text.charCodeAt(index);
  if (char === 0x22) return readString(walk, index);
  if (char === 0x7b || char === 0x5b) return enter(walk, index, char === 0x7b);
  if (char === 0x7d || char === 0x5d) return leave(walk, index);
  if (char === 0x2c) return advance(walk, index);
  if (char === 0x2d || (char >= 0x30 && char <= 0x39)) return readNumber(walk, index);
  return index + 1;
}

function enter(walk: Walk, index: number, isObject: boolean): number | undefined {
  if (walk.frames.length === nestingLevelsMax) {
    note(walk, "deep");
    return undefined;
  }
  walk.frames.push({ names: isObject ? new Set() : undefined, at: 0 });
  walk.expectsName = isObject;
  return index + 1;
}

function leave(walk: Walk, index: number): number {
  walk.frames.pop();
  walk.expectsName = false;
  return index + 1;
}

function advance(walk: Walk, index: number): number {
  const frame = walk.frames.at(-1);
  if (frame && typeof frame.at === "number") frame.at += 1;
  walk.expectsName = frame?.names !== undefined;
  return index + 1;
}

function readNumber(walk: Walk, index: number): number {
  let end = index + 1;
  while (isNumberChar(walk.text.charCodeAt(end))) end += 1;
  if (!isExact(walk.text.slice(index, end))) note(walk, "inexact");
  return end;
}

/** Digits, sign, point and exponent. */
function isNumberChar(char: number): boolean {
  return (
    (char >= 0x30 && char <= 0x39) || char === 0x2b || char === 0x2d || char === 0x2e || char === 0x45 || char === 0x65
  );
}

function readString(walk: Walk, index: number): number {
  const end = endOfString(walk.text, index);
  const escaped = walk.text.slice(index + 1, end - 1);
  const hasEscape = escaped.includes("\\u");
  const isName = walk.expectsName;
  // JSON decoded from UTF-8 holds NUL or a lone surrogate only as an escape.
  const value = isName || hasEscape ? unescape(escaped) : "";
  if (isName) enterMember(walk, value);
  if (value.includes("\0")) note(walk, "nul");
  if (!value.isWellFormed()) note(walk, "surrogate");
  walk.expectsName = false;
  return end;
}

function enterMember(walk: Walk, name: string): void {
  const frame = walk.frames.at(-1);
  if (!frame?.names) return;
  // One code unit more than a path repeats, so that it is cut and says so.
  frame.at = name.slice(0, pathCharsMax + 1);
  if (frame.names.has(name)) note(walk, "twice");
  if (name === "__proto__") note(walk, "name");
  frame.names.add(name);
}

function unescape(escaped: string): string {
  // Safe because this is the content of a valid JSON string.
  return escaped.includes("\\") ? (JSON.parse(`"${escaped}"`) as string) : escaped;
}

/** The index after the closing quote of the string that opens at `index`. */
function endOfString(text: string, index: number): number {
  let quote = text.indexOf('"', index + 1);
  while (isEscaped(text, quote, index)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, quote: number, opening: number): boolean {
  let begin = quote;
  while (begin - 1 > opening && text.charCodeAt(begin - 1) === 0x5c) begin -= 1;
  return (quote - begin) % 2 === 1;
}

/** Adds a finding at the JSON pointer of the member that is being read. */
function note({ frames, findings }: Walk, what: Finding["what"]): void {
  const path = frames.map(({ at }) => `/${pointerToken(String(at))}`).join("");
  findings.push({ what, path: shortPath(path), depth: frames.length, problem: problems[what] });
}

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
