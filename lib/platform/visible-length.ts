/** What shows nothing by itself: white space, control and format characters, fillers, and the blank of Braille. */
const invisible = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** How many characters of a text somebody sees who reads it. A reason that nobody can read is none. */
export function visibleLength(text: string): number {
  return [...text.replaceAll(invisible, "")].length;
}
