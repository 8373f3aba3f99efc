const levelsMax = 200;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * Parses a payer's JSON if it has only one possible meaning: strict UTF-8 without a byte order mark, and no duplicate name in
 * an object, because parsers differ in which one counts (RFC 8259, section 4), and at most 200 levels deep. No text of it
 * holds a NUL or half of a character, which FHIR forbids and no column of text takes. Undefined for anything else.
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes);
    if (isAmbiguousOrDeep(text)) return undefined;
    const value: unknown = JSON.parse(text);
    return hasNoText(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Whether an object has a duplicate name, or something is nested deeper than any resource, which would take seconds to
 * parse. One pass without recursion over a text that need not be JSON.
 */
function isAmbiguousOrDeep(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let isNameNext = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === quote) {
      const end = endOfString(text, index);
      const names = isNameNext ? open.at(-1) : undefined;
      const name = names && nameIn(text.slice(index, end + 1));
      if (name !== undefined && names?.has(name)) return true;
      if (name !== undefined) names?.add(name);
      isNameNext = false;
      index = end;
    } else if (char === brace || char === bracket) {
      if (open.push(char === brace ? new Set() : undefined) > levelsMax) return true;
      isNameNext = char === brace;
    } else if (char === closingBrace || char === closingBracket) {
      open.pop();
      isNameNext = false;
    } else if (char === comma) isNameNext = open.at(-1) !== undefined;
  }
  return false;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [brace, closingBrace, bracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function nameIn(quoted: string): string {
  // Throws where it is no JSON string, of which nothing is read then.
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** The index of the quote that closes the string at `opening`; the end of a text that closes none. */
function endOfString(text: string, opening: number): number {
  let end = text.indexOf('"', opening + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

const suspect = /\\u(?:0000|d[89a-f])/i;

/** Whether a string holds a NUL or half of a surrogate pair; only escapes can write those in UTF-8. */
function hasNoText(text: string): boolean {
  if (!suspect.test(text)) return false;
  return [...text.matchAll(tokens)].some(([token]) => {
    if (!suspect.test(token)) return false;
    // Safe because a token with an escape is a JSON string.
    const value = JSON.parse(token) as string;
    return value.includes("\0") || !value.isWellFormed();
  });
}
