const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * A payer's JSON as it can mean only one thing: strict UTF-8 without a byte
 * order mark, and no object that gives a name twice, for readers differ in
 * which of the two counts (RFC 8259, section 4). Undefined for anything else.
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes);
    const value: unknown = JSON.parse(text);
    return repeatsName(text) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether an object gives a name twice, in a text that JSON.parse accepts; one pass, no recursion. */
function repeatsName(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let before = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      // Safe because what stands before a colon is a name, which is a JSON string.
      const name = JSON.parse(before) as string;
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
    before = token;
  }
  return false;
}
