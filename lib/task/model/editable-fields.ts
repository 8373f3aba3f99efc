import type { Procedure, ServiceReview } from "./service-review.ts";

/** A value that a reviewer may correct in place. Everything else is the agent's to change. */
export type EditableField = {
  /** JSON pointer into the service review. */
  readonly pointer: string;
  readonly kind: "text" | "date" | "number";
  readonly value: string | number | undefined;
};

/** The fields of one part of a request. */
export type EditableGroup = { readonly pointer: string; readonly fields: readonly EditableField[] };

const modifiers = ["modifierCode1", "modifierCode2", "modifierCode3", "modifierCode4"] as const;

/** What a reviewer may correct: modifiers, quantities and units, days, place of service, and NPIs. */
export function editableGroups(review: ServiceReview): readonly EditableGroup[] {
  const { procedures, requestingProvider, renderingProviders = [], facility } = review;
  return [
    { pointer: "", fields: [...amountsAndDays(review, ""), text("/placeOfServiceCode", review.placeOfServiceCode)] },
    ...procedures.map((line, index) => lineGroup(line, `/procedures/${index}`)),
    ...(requestingProvider ? [npiGroup(requestingProvider, "/requestingProvider")] : []),
    ...renderingProviders.map((one, index) => npiGroup(one, `/renderingProviders/${index}`)),
    ...(facility ? [npiGroup(facility, "/facility")] : []),
  ];
}

function lineGroup(line: Procedure, pointer: string): EditableGroup {
  return {
    pointer,
    fields: [
      ...modifiers.map((member) => text(`${pointer}/${member}`, line[member])),
      ...amountsAndDays(line, pointer),
    ],
  };
}

type LinePeriod = Pick<Procedure, "fromDate" | "toDate" | "quantity" | "quantityTypeCode">;

function amountsAndDays(of: LinePeriod, pointer: string): readonly EditableField[] {
  return [
    { pointer: `${pointer}/quantity`, kind: "number", value: of.quantity },
    text(`${pointer}/quantityTypeCode`, of.quantityTypeCode),
    { pointer: `${pointer}/fromDate`, kind: "date", value: of.fromDate },
    { pointer: `${pointer}/toDate`, kind: "date", value: of.toDate },
  ];
}

function npiGroup({ npi }: { readonly npi?: string | undefined }, pointer: string): EditableGroup {
  return { pointer, fields: [text(`${pointer}/npi`, npi)] };
}

function text(pointer: string, value: string | undefined): EditableField {
  return { pointer, kind: "text", value };
}
