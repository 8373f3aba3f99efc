/** A person as one side describes them; what that side leaves out is absent. */
export type Person = {
  readonly names: readonly PersonName[];
  /** Absent unless it is one of the two. */
  readonly sex?: "female" | "male" | undefined;
  /** YYYY-MM-DD, or as much of it as is known. */
  readonly birthDate?: string | undefined;
};

/** `text` is the whole name when its parts are not given separately. */
export type PersonName = {
  readonly family?: string | undefined;
  readonly given?: readonly string[] | undefined;
  readonly text?: string | undefined;
};

/** A person as X12 and our own requests describe one. */
type NamedPerson = {
  readonly lastName?: string | undefined;
  readonly firstName?: string | undefined;
  readonly middleName?: string | undefined;
  readonly birthDate?: string | undefined;
  /** X12 1068; a code other than F and M tells nobody apart. */
  readonly genderCode?: string | undefined;
};

export function personOf({ lastName, firstName, middleName, birthDate, genderCode }: NamedPerson): Person {
  const given = [firstName, middleName].flatMap((name) => name ?? []);
  const sexes: Readonly<Record<string, Person["sex"]>> = { F: "female", M: "male" };
  return { names: [{ family: lastName, given }], sex: sexes[genderCode ?? ""], birthDate };
}

/**
 * Whether an answer is about another person than the request: a brother, for example, has the same member id and family
 * name. A difference in case, accents, punctuation, initials or middle names does not count, nor does a member that one
 * side leaves out. One matching name is enough.
 */
export function isDifferentPerson(requested: Person, brought: Person): boolean {
  if (requested.sex !== undefined && brought.sex !== undefined && requested.sex !== brought.sex) return true;
  const [born, bornToo] = [requested.birthDate ?? "", brought.birthDate ?? ""];
  if (!born.startsWith(bornToo) && !bornToo.startsWith(born)) return true;
  const named = brought.names.filter((name) => partsOf(name).all.length > 0);
  return (
    named.length > 0 &&
    requested.names.length > 0 &&
    !requested.names.some((ours) => named.some((name) => namesMatch(ours, name)))
  );
}

function namesMatch(ours: PersonName, theirs: PersonName): boolean {
  const [one, other] = [partsOf(ours), partsOf(theirs)];
  if (theirs.family === undefined && other.given.length === 0)
    return one.all.every((word) => includesWord(other.all, word));
  return oneIncludesOther(one.family, other.family) && oneIncludesOther(one.given, other.given);
}

/** Whether one list contains the whole other list; an empty list always matches. */
function oneIncludesOther(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return true;
  return one.every((word) => includesWord(other, word)) || other.every((word) => includesWord(one, word));
}

function includesWord(names: readonly string[], word: string): boolean {
  return names.some(
    (each) =>
      each === word || (each.length === 1 && word.startsWith(each)) || (word.length === 1 && each.startsWith(word)),
  );
}

function partsOf({ family, given = [], text }: PersonName) {
  const parts = { family: namesIn(family), given: given.flatMap(namesIn) };
  const all = [...parts.family, ...parts.given];
  return { ...parts, all: all.length > 0 ? all : namesIn(text) };
}

/** Generations and titles, which are ignored because one side may leave them out. */
const affixes = new Set(["jr", "sr", "ii", "iii", "iv", "mr", "mrs", "ms", "dr"]);

/** The words of a name for comparison: without accents, apostrophes and case, split at spaces and hyphens. */
function namesIn(text: string | undefined): readonly string[] {
  const plain = (text ?? "")
    .normalize("NFD")
    .replaceAll(/[\p{M}'’.]/gu, "")
    .toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "" && !affixes.has(word));
}
