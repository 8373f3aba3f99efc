/** A run of ordinary text, or one character that would not show or would bend what stands around it. */
export type TextPart = { readonly text: string } | { readonly hidden: string };

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

/**
 * Splits a text so that control, bidirectional, zero-width and unassigned
 * characters can be shown by their code point. With `lines`, tab and line feed stay.
 */
export function visibleParts(text: string, { lines }: { readonly lines: boolean }): readonly TextPart[] {
  if (!invisible.test(text)) return text === "" ? [] : [{ text }];
  const parts: TextPart[] = [];
  let run = "";
  for (const character of text) {
    if (!invisible.test(character) || (lines && (character === "\n" || character === "\t"))) {
      run += character;
      continue;
    }
    if (run !== "") parts.push({ text: run });
    parts.push({ hidden: codePoint(character) });
    run = "";
  }
  if (run !== "") parts.push({ text: run });
  return parts;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
