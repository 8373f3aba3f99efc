import { distance } from "fastest-levenshtein";
import type { PayerName } from "#lib/practice/model/payer-name";

/** Most that are proposed. */
const similarMax = 3;

/** Longest text that is compared; names and ids are shorter. */
const comparedMax = 100;

/**
 * The payers that somebody who wrote `given` may have meant, the likeliest first: by name or alias, by what a name begins
 * with or contains, and by at most two wrong letters. None where nothing is close.
 */
export function similarPayers(given: string, known: readonly PayerName[]): readonly PayerName[] {
  const wanted = folded(given);
  if (wanted === "") return [];
  return known
    .map((payer) => ({ payer, far: Math.min(...textsOf(payer).map((text) => distanceOf(wanted, folded(text)))) }))
    .filter(({ far }) => far < tooFar)
    .toSorted((one, other) => one.far - other.far || compare(one.payer.payerId, other.payer.payerId))
    .slice(0, similarMax)
    .map(({ payer }) => payer);
}

function textsOf({ payerId, name, aliases }: PayerName): readonly string[] {
  return [payerId, ...(name === undefined ? [] : [name]), ...aliases];
}

function folded(text: string): string {
  return text
    .slice(0, comparedMax)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const tooFar = 1;

/** 0 for the same text; below `tooFar` for what may have been meant. */
function distanceOf(wanted: string, text: string): number {
  if (text === "") return tooFar;
  if (wanted === text) return 0;
  const [short, long] = wanted.length <= text.length ? [wanted, text] : [text, wanted];
  // Two letters exchanged count as two, and short ids differ in one letter from many others.
  const lettersMax = short.length < 4 ? 1 : 2;
  const letters = long.length - short.length > lettersMax ? Infinity : distance(wanted, text);
  if (letters <= lettersMax) return letters * 0.2;
  if (short.length < 3) return tooFar;
  if (long.startsWith(short)) return 0.5;
  return long.includes(short) ? 0.6 : tooFar;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
