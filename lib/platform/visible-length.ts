/** What shows nothing by itself: white space, control and format characters, fillers, and the blank of Braille. */
const showsNothing = String.raw`\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const invisible = new RegExp(`[${showsNothing}]`, "gu");
const visible = new RegExp(`[^${showsNothing}]`, "u");

/** How many characters of a text somebody sees who reads it. A reason that nobody can read is none. */
export function visibleLength(text: string): number {
  return [...text.replaceAll(invisible, "")].length;
}

/** Whether nobody sees anything of it: a name that nobody can read is none. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
