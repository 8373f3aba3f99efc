const names: Readonly<Record<string, string>> = {
  modifierCode1: "Modifier 1",
  modifierCode2: "Modifier 2",
  modifierCode3: "Modifier 3",
  modifierCode4: "Modifier 4",
  quantity: "Quantity",
  quantityTypeCode: "Unit code",
  fromDate: "First day",
  toDate: "Last day",
  placeOfServiceCode: "Place of service",
  npi: "NPI",
};

/** How a value that may be corrected is written, where it needs saying. */
const hints: Readonly<Record<string, string>> = {
  quantityTypeCode: "UN units, VS visits, DY days",
  placeOfServiceCode: "Two digits, such as 11 or 22",
  npi: "Ten digits",
};

/** A value that a reviewer may correct, by the last part of its JSON pointer. */
export function editableText(pointer: string): string {
  return names[pointer.split("/").at(-1) ?? ""] ?? "The request";
}

export function editableHint(pointer: string): string | undefined {
  return hints[pointer.split("/").at(-1) ?? ""];
}

/** The part of the request that some of them belong to. */
export function editableGroupText(pointer: string): string {
  const [, list = "", index = "0"] = /^\/([a-zA-Z]+)(?:\/(\d+))?$/.exec(pointer) ?? [];
  const number = Number(index) + 1;
  switch (list) {
    case "procedures":
      return `Service ${number}`;
    case "requestingProvider":
      return "Requesting provider";
    case "renderingProviders":
      return `Servicing provider ${number}`;
    case "facility":
      return "Facility";
    default:
      return "Whole request";
  }
}

/** A corrected value, by its JSON pointer: "Service 1, modifier 2". */
export function editedText(pointer: string): string {
  const group = pointer.slice(0, pointer.lastIndexOf("/"));
  const name = editableText(pointer);
  // An abbreviation stays as it is.
  return group === "" ? name : `${editableGroupText(group)}, ${name === "NPI" ? name : name.toLowerCase()}`;
}
