/** A person as one side names them; what it leaves out is absent. */
export type Person = {
  readonly names: readonly PersonName[];
  /** Only where it is known to be one of the two. */
  readonly sex?: "female" | "male" | undefined;
  /** YYYY-MM-DD, or as much of it as is known. */
  readonly birthDate?: string | undefined;
};

/** `text` is the whole name in one, where its parts are not told apart. */
export type PersonName = {
  readonly family?: string | undefined;
  readonly given?: readonly string[] | undefined;
  readonly text?: string | undefined;
};

/**
 * Whether what an answer says of a person contradicts whom was asked about: a
 * brother has the same member id and family name. What either side leaves out
 * contradicts nothing, nor do case, accents, punctuation, an initial or a
 * middle name. Of several names one that fits is enough.
 */
export function isSomebodyElse(asked: Person, brought: Person): boolean {
  if (asked.sex !== undefined && brought.sex !== undefined && asked.sex !== brought.sex) return true;
  const [born, bornToo] = [asked.birthDate ?? "", brought.birthDate ?? ""];
  if (!born.startsWith(bornToo) && !bornToo.startsWith(born)) return true;
  const named = brought.names.filter((name) => partsOf(name).all.length > 0);
  return (
    named.length > 0 && asked.names.length > 0 && !asked.names.some((ours) => named.some((name) => fits(ours, name)))
  );
}

function fits(ours: PersonName, theirs: PersonName): boolean {
  const [one, other] = [partsOf(ours), partsOf(theirs)];
  if (theirs.family === undefined && other.given.length === 0)
    return one.all.every((word) => holdsWord(other.all, word));
  return holdEachOther(one.family, other.family) && holdEachOther(one.given, other.given);
}

/** Whether one list is all in the other; an empty one says nothing. */
function holdEachOther(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return true;
  return one.every((word) => holdsWord(other, word)) || other.every((word) => holdsWord(one, word));
}

function holdsWord(words: readonly string[], word: string): boolean {
  return words.some(
    (each) =>
      each === word || (each.length === 1 && word.startsWith(each)) || (word.length === 1 && each.startsWith(word)),
  );
}

function partsOf({ family, given = [], text }: PersonName) {
  const parts = { family: wordsOf(family), given: given.flatMap(wordsOf) };
  const all = [...parts.family, ...parts.given];
  return { ...parts, all: all.length > 0 ? all : wordsOf(text) };
}

/** Generations and titles, which one side gives and the other does not. */
const affixes = new Set(["jr", "sr", "ii", "iii", "iv", "mr", "mrs", "ms", "dr"]);

/** A name's words as they are compared: without accents, apostrophes and case, cut at spaces and hyphens. */
function wordsOf(text: string | undefined): readonly string[] {
  const plain = (text ?? "")
    .normalize("NFD")
    .replaceAll(/[\p{M}'’.]/gu, "")
    .toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && !affixes.has(word));
}
