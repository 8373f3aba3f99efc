/** A page to go to: `g`, then `key`. */
export type Place = { readonly href: string; readonly name: string; readonly key: string };

/** The chord that leads to a place. */
export function chordTo({ key }: Place): string {
  return `g ${key}`;
}
