type KeyPress = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing">;

/**
 * A key press as the table writes it: `j`, `?`, `Shift+ArrowDown`, `Mod+k`. It goes by the character that was
 * typed, so that `?` and `/` are found on every layout; `Mod` is Ctrl, and Cmd on a Mac. Undefined for what is
 * part of a word being composed, and for Alt, which belongs to the browser and to layouts.
 */
export function chordOf({ key, altKey, ctrlKey, metaKey, shiftKey, isComposing }: KeyPress): string | undefined {
  if (isComposing || altKey || key === "Dead") return undefined;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const shift = shiftKey && (letter || key.length > 1);
  return `${ctrlKey || metaKey ? "Mod+" : ""}${shift ? "Shift+" : ""}${letter ? key.toLowerCase() : key}`;
}

/** How long the second key of `g q` may take. */
const sequenceMs = 1_500;

export type ChordStart = { readonly chord: string; readonly atMs: number } | undefined;

type Step = { readonly pressed: string; readonly begun: ChordStart; readonly nowMs: number };

/** The chord a press completes, of these; or what it begins, such as the `g` of `g q`. */
export function follow(
  chords: ReadonlySet<string>,
  { pressed, begun, nowMs }: Step,
): { readonly complete?: string; readonly begun: ChordStart } {
  const whole = begun && nowMs - begun.atMs < sequenceMs ? `${begun.chord} ${pressed}` : undefined;
  if (whole !== undefined && chords.has(whole)) return { complete: whole, begun: undefined };
  const begins = [...chords].some((chord) => chord.startsWith(`${pressed} `));
  if (begins) return { begun: { chord: pressed, atMs: nowMs } };
  if (whole === undefined && chords.has(pressed)) return { complete: pressed, begun: undefined };
  return { begun: undefined };
}
