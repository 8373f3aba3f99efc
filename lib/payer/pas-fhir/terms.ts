import type { StatedTerms } from "#lib/payer/model/authorization-conflicts";
import { dayOf } from "#lib/payer/agreed-value";
import { codeIn, extensionOf, type ClaimResponse, type Concept } from "./resources.ts";
import { extensions, systems } from "./vocabulary.ts";

type Item = NonNullable<ClaimResponse["item"]>[number];
type AddItem = NonNullable<ClaimResponse["addItem"]>[number];

/** What an added item authorizes, as far as it says; `asked` is the code it is held against. */
export function addedTerms(
  { productOrService, modifier = [], quantity, servicedDate, servicedPeriod, locationCodeableConcept }: AddItem,
  requested: string | undefined,
): StatedTerms | undefined {
  return stated({
    code: codeOf(productOrService, requested),
    modifiers: modifiersOf(modifier),
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: dayOf(servicedPeriod?.start ?? servicedDate),
    to: dayOf(servicedPeriod?.end ?? servicedDate),
    place: codeIn(locationCodeableConcept, systems.placeOfService),
  });
}

/** What an item says itself of what was authorized on it (itemAuthorizedDetail). */
export function detailTerms(item: Item | undefined, requested: string | undefined): StatedTerms | undefined {
  const detail = extensionOf(item?.extension, extensions.itemAuthorizedDetail)?.extension;
  const quantity = extensionOf(detail, "quantity")?.valueQuantity;
  const dates = extensionOf(item?.extension, extensions.itemAuthorizedDate);
  const modifiers = (detail ?? []).filter(({ url }) => url === "modifier");
  return stated({
    code: codeOf(extensionOf(detail, "productOrServiceCode")?.valueCodeableConcept, requested),
    modifiers: modifiersOf(modifiers.flatMap(({ valueCodeableConcept }) => valueCodeableConcept ?? [])),
    quantity: quantity?.value,
    unit: quantity?.code ?? quantity?.unit,
    from: dayOf(dates?.valuePeriod?.start ?? dates?.valueDateTime),
    to: dayOf(dates?.valuePeriod?.end ?? dates?.valueDateTime),
  });
}

/** A service may be coded several ways at once; the code that was asked for is the one meant where it is among them. */
function codeOf(concept: Concept | undefined, requested: string | undefined): string | undefined {
  const codes = (concept?.coding ?? []).flatMap(({ code }) => code ?? []);
  return codes.find((code) => code === requested) ?? codes[0];
}

function modifiersOf(concepts: readonly Concept[]): readonly string[] | undefined {
  const codes = concepts.flatMap(({ coding = [] }) => coding[0]?.code ?? []);
  return codes.length > 0 ? codes : undefined;
}

/** Only what was said, so that silence never hides what was asked. */
function stated(terms: StatedTerms): StatedTerms | undefined {
  const present = Object.entries(terms).filter(([, value]) => value !== undefined);
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}
