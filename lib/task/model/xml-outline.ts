/**
 * What a text is as XML, judged by what surrounds its root element. `none` is any other text. Only the prolog (XML 1.0,
 * production 22) can declare a document type, and with it entities, so nothing within the root is examined.
 */
export type XmlOutline = "document" | "document-type" | "other-encoding" | "unfinished" | "none";

// Encodings in which ASCII is ASCII, so that reading them as UTF-8 gives the same result.
const asciiLike = /^(?:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)$/i;
const declaration = /^\s*<\?xml\s[^>]{0,200}?\?>/;
const opening = /<([\p{L}_][\p{L}\p{N}_.:-]{0,200})(?=[\s/>])/uy;
const attribute = /\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*')/y;
const emptyEnd = /\s*\/>/y;
const visible = /\S/g;

export function outlineOf(text: string): XmlOutline {
  const declared = declaration.exec(text)?.[0];
  const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declared ?? "")?.[1];
  if (encoding !== undefined && !asciiLike.test(encoding)) return "other-encoding";
  const begin = skipMisc(text, declared?.length ?? 0);
  if (/^<!doctype/i.test(text.slice(begin, begin + 9))) return "document-type";
  opening.lastIndex = begin;
  const root = opening.exec(text)?.[1];
  if (root !== undefined && endsWith(root, text, begin)) return "document";
  return declared === undefined ? "none" : "unfinished";
}

/** Whether nothing but comments follows the root element. */
function endsWith(root: string, text: string, begin: number): boolean {
  const after = endOfEmpty(text, begin + 1 + root.length);
  if (after !== undefined) return skipMisc(text, after) === text.length;
  const end = text.lastIndexOf(`</${root}`);
  const close = text.indexOf(">", end);
  if (end < begin || close < 0) return false;
  const isRoots = text.slice(end + 2 + root.length, close).trim() === "";
  return isRoots && skipMisc(text, close + 1) === text.length;
}

/**
 * The index after the empty element whose attributes begin at `index`; undefined if it is none. A loop, because a regular
 * expression that repeats a group takes a place on the stack for each time, and a file may hold a million attributes.
 */
function endOfEmpty(text: string, index: number): number | undefined {
  let at = index;
  for (attribute.lastIndex = at; attribute.test(text); at = attribute.lastIndex);
  emptyEnd.lastIndex = at;
  return emptyEnd.test(text) ? emptyEnd.lastIndex : undefined;
}

/** The index after the white space, comments and processing instructions that begin at `index`. */
function skipMisc(text: string, index: number): number {
  let at = index;
  for (;;) {
    visible.lastIndex = at;
    at = visible.exec(text)?.index ?? text.length;
    const end = text.startsWith("<!--", at)
      ? endOf("-->", text, at + 4)
      : text.startsWith("<?", at)
        ? endOf("?>", text, at + 2)
        : undefined;
    if (end === undefined) return at;
    at = end;
  }
}

/** The index after `mark`. Undefined if it never comes. */
function endOf(mark: string, text: string, from: number): number | undefined {
  const at = text.indexOf(mark, from);
  return at < 0 ? undefined : at + mark.length;
}
