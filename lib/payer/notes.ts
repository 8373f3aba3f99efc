/** The longest message one X12 MSG segment carries. */
export const noteCharactersMax = 264;

/** Cuts a note into messages a segment can carry, after a space where there is one; joined they are the note again. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = Array.from(text);
  while (rest.length > noteCharactersMax) {
    const space = rest.lastIndexOf(" ", noteCharactersMax - 1);
    const end = space > 0 ? space + 1 : noteCharactersMax;
    pieces.push(rest.slice(0, end).join(""));
    rest = rest.slice(end);
  }
  return rest.length > 0 ? [...pieces, rest.join("")] : pieces;
}
