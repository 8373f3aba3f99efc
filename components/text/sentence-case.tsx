/** A label as a heading or a sentence begins: `not certified` is "Not certified". */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
