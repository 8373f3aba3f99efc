import type { Address } from "fhir/r4";
import { nonBlank } from "#lib/payer/non-blank";
import type { Provider } from "#lib/task/model/service-review";
import { defined } from "./parts.ts";

/**
 * US Core 7 demands contact information of every role (invariant pd-1). Where the request has none, FHIR's own extension
 * says that it is unknown.
 */
export const unknownPhone = {
  system: "phone" as const,
  _value: {
    extension: [{ url: "http://hl7.org/fhir/StructureDefinition/data-absent-reason", valueCode: "unknown" as const }],
  },
};

/** Phone and fax, of which either may be left out; undefined where neither is known. */
export function telecomsOf({
  phone,
  fax,
}: Partial<Pick<Provider, "phone" | "fax">>): { system: "phone" | "fax"; value: string }[] | undefined {
  const known = [
    { system: "phone" as const, value: nonBlank(phone) },
    { system: "fax" as const, value: nonBlank(fax) },
  ];
  const list = known.flatMap(({ system, value }) => (value === undefined ? [] : [{ system, value }]));
  return list.length > 0 ? list : undefined;
}

type PostalAddress = Pick<Provider, "addressLine1" | "addressLine2" | "city" | "stateCode" | "zipCode">;

/** An address in the United States; undefined where nothing of it is known. */
export function addressOf({
  addressLine1,
  addressLine2,
  city,
  stateCode,
  zipCode,
}: PostalAddress): Address | undefined {
  const line = [addressLine1, addressLine2].flatMap((each) => nonBlank(each) ?? []);
  const known = [...line, nonBlank(city), stateCode, zipCode].some((each) => each !== undefined);
  if (!known) return undefined;
  return defined<Address>({
    line: line.length > 0 ? line : undefined,
    city: nonBlank(city),
    state: stateCode,
    postalCode: zipCode,
    country: "US",
  });
}

/** The same as the list that most resources hold. */
export function addressesOf(of: PostalAddress): Address[] | undefined {
  const address = addressOf(of);
  return address && [address];
}
