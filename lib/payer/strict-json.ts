const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * Parses a payer's JSON if it has only one possible meaning: strict UTF-8 without a byte order mark, and no duplicate name in
 * an object, because parsers differ in which one counts (RFC 8259, section 4). No text of it holds a NUL or half of a
 * character, which FHIR forbids and no column of text takes. Undefined for anything else.
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return repeatsName(text) || hasNoText(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether an object has a duplicate name, in a text that JSON.parse accepts; one pass, no recursion. */
function repeatsName(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let before = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      // Safe because the token before a colon is a name, which is a JSON string.
      const name = JSON.parse(before) as string;
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
    before = token;
  }
  return false;
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
