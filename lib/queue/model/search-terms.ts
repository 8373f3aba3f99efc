import { comparedNumber, numbersOf, type Determination } from "#lib/task/model/determination";
import { now } from "#lib/platform/now";
import type { ServiceReview } from "#lib/task/model/service-review";

/** One thing a case is found by, in the one form in which it is stored and looked for. */
export type SearchTerm = { readonly kind: "name" | "birth" | "authorization"; readonly text: string };

/** No name has more words than this, and nobody needs to type more to tell two apart. */
const tokensMax = 12;

/**
 * The words of a name as they are compared: without accents and case, parted at everything that is no letter or digit.
 * An apostrophe parts nothing, because half of the people with one write none.
 */
export function tokensOf(name: string): readonly string[] {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/['’ʼ]/g, "");
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))].slice(0, tokensMax);
}

/** What a case is found by, beyond what its row holds already. */
export function termsOfCase(review: ServiceReview, determinations: readonly Determination[]): readonly SearchTerm[] {
  const { patient, subscriber } = review;
  const last = patient?.lastName ?? subscriber?.lastName;
  const first = patient?.firstName ?? subscriber?.firstName;
  const name = [first, patient?.middleName, last].filter((part) => part !== undefined).join(" ");
  return [
    ...tokensOf(name).map((text) => ({ kind: "name", text }) as const),
    ...(patient?.birthDate === undefined ? [] : [{ kind: "birth", text: patient.birthDate } as const]),
    ...[...new Set(determinations.flatMap(numbersOf))].map((text) => ({ kind: "authorization", text }) as const),
  ];
}

/** A day by itself or beside a comma: `1962-02-08`, `2/8/1962` or `02-08-62`, the month first unless the year is. */
const dates =
  /(?<![^\s,;])(?:(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})|(?<mm>\d{1,2})(?<by>[-/])(?<dd>\d{1,2})\k<by>(?<yyyy>\d{4}|\d{2}))(?![^\s,;])/g;

/** Of a birth date with two digits, the last such year that has begun. */
function wholeYear(digits = ""): string {
  if (digits.length !== 2) return digits;
  const year = now().getUTCFullYear();
  const century = Math.floor(year / 100) - (Number(digits) > year % 100 ? 1 : 0);
  return `${century}${digits}`;
}

/** What somebody typed: a name and a birth date, either alone or both, which a case must have all of; or a number. */
export type TypedTerms = { readonly patient: readonly SearchTerm[]; readonly authorization: SearchTerm | undefined };

export function termsOfTyped(typed: string): TypedTerms {
  const births = [...typed.matchAll(dates)].map(({ groups = {} }) => {
    const { y, m, d, mm, dd, yyyy } = groups;
    return [y ?? wholeYear(yyyy), (m ?? mm)?.padStart(2, "0"), (d ?? dd)?.padStart(2, "0")].join("-");
  });
  const names = tokensOf(typed.replaceAll(dates, " "));
  const number = comparedNumber(typed);
  return {
    patient: [
      ...births.map((text) => ({ kind: "birth", text }) as const),
      ...names.map((text) => ({ kind: "name", text }) as const),
    ],
    authorization: number === "" ? undefined : { kind: "authorization", text: number },
  };
}
