import type { LineTerms } from "#lib/task/model/determination";
import { codeText } from "#lib/messages/labels/codes";
import type { ServiceReview } from "#lib/task/model/service-review";
import { termNames, type TermName } from "#lib/task/model/term-differences";
import { amountOf, datesOf, nameOf } from "../request/review-text.ts";

/** Providers of the case by their numbers, so that people read names. */
export type KnownProviders = ReadonlyMap<string, string>;

export function knownProviders({ renderingProviders = [], requestingProvider }: ServiceReview): KnownProviders {
  const named = [...renderingProviders, ...(requestingProvider ? [requestingProvider] : [])];
  return new Map(
    named.flatMap((provider) => {
      const id = provider.npi ?? provider.taxId;
      const name = nameOf(provider);
      return id === undefined || name === undefined ? [] : [[id, `${name} (${id})`] as const];
    }),
  );
}

/** The terms of a line as people read them; those that are left open are absent. */
export function termTexts(
  { code, modifiers, quantity, unit, from, to, providers, place }: LineTerms,
  known: KnownProviders = new Map(),
): readonly { readonly name: TermName; readonly text: string }[] {
  const texts: Readonly<Record<TermName, string | undefined>> = {
    code,
    modifiers: modifiers && (modifiers.length > 0 ? `modifiers ${modifiers.join(" ")}` : "no modifiers"),
    quantity: amountOf({ quantity, quantityTypeCode: unit }),
    dates: datesOf({ fromDate: from, toDate: to }),
    provider: providers?.map((id) => known.get(id) ?? id).join("; "),
    place: place === undefined ? undefined : codeText("place", place),
  };
  return termNames.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [{ name, text }];
  });
}
