/** One member of the contract's service review. `pattern` is a regular expression over the whole value. */
export type Field = {
  readonly type: "Text" | "Date" | "Boolean" | "Object" | "ObjectArray";
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly values?: readonly string[];
  readonly maxRepeats?: number;
  readonly elements?: Fields;
};

export type Fields = { readonly [name: string]: Field };

const text = (maxLength: number): Field => ({ type: "Text", maxLength });
const code = (pattern: string): Field => ({ type: "Text", pattern });
const date: Field = { type: "Date" };
const digits = (from: number, to = from): Field => code(from === to ? `\\d{${from}}` : `\\d{${from},${to}}`);
const quantity = code("\\d{1,5}(?:\\.\\d{1,3})?");
const unit = code("[A-Z0-9]{2}");
const modifier = code("[A-Z0-9]{2}");
const required = (field: Field): Field => ({ ...field, required: true });

const address: Fields = {
  addressLine1: text(55),
  addressLine2: text(55),
  city: text(30),
  stateCode: code("[A-Z]{2}"),
  zipCode: code("\\d{5}(?:-?\\d{4})?"),
};

const person: Fields = { lastName: text(60), firstName: text(35), middleName: text(25), suffix: text(10) };

const provider: Fields = {
  npi: required(code("[12]\\d{9}")),
  taxId: digits(9),
  ...person,
  lastName: required(text(60)),
  specialtyCode: code("[0-9A-Z]{9}X"),
  payerAssignedProviderId: text(50),
  ...address,
  contactName: text(60),
  phone: digits(10),
  extension: digits(1, 8),
  fax: digits(10),
  emailAddress: text(80),
  url: text(80),
};

const note: Fields = { message: required(text(264)), typeCode: text(3) };

const diagnosis: Fields = {
  code: required(code("[A-Z]\\d[\\dAB](?:\\.?[0-9A-Z]{1,4})?")),
  qualifierCode: required({ type: "Text", values: ["ABK", "ABF", "ABJ"] }),
  value: text(264),
  date,
};

const procedure: Fields = {
  code: required(text(48)),
  qualifierCode: required(code("[A-Z0-9]{2,3}")),
  description: text(264),
  value: text(264),
  modifierCode1: modifier,
  modifierCode2: modifier,
  modifierCode3: modifier,
  modifierCode4: modifier,
  quantity,
  quantityTypeCode: unit,
  revenueCode: digits(4),
  fromDate: date,
  toDate: date,
};

/** What a request may hold, as Service Reviews 2.0.0 has it, and what this payer needs of it. */
export const fields: Fields = {
  payer: required({ type: "Object", elements: { id: required(text(64)), name: text(60) } }),
  requestTypeCode: required({ type: "Text", values: ["AR", "HS", "SC"] }),
  serviceTypeCode: required(code("[A-Z0-9]{1,3}")),
  additionalServiceTypes: { type: "ObjectArray", maxRepeats: 10, elements: { code: required(code("[A-Z0-9]{1,3}")) } },
  serviceLevelCode: { type: "Text", values: ["U", "E", "03"] },
  placeOfServiceCode: required(digits(2)),
  fromDate: date,
  toDate: date,
  quantity,
  quantityTypeCode: unit,
  admissionTypeCode: code("[0-9A-Z]"),
  admissionSourceCode: code("[0-9A-Z]"),
  nursingHomeResidentialStatusCode: code("[A-Z0-9]{1,3}"),
  homeHealthStartDate: date,
  shortFormIndicator: { type: "Boolean" },
  requestingProvider: required({ type: "Object", elements: { ...provider, submitterId: text(50) } }),
  subscriber: required({
    type: "Object",
    elements: { memberId: required(code("[A-Za-z0-9-]{2,30}")), ...person, ...address },
  }),
  patient: required({
    type: "Object",
    elements: {
      ...person,
      lastName: required(text(60)),
      firstName: required(text(35)),
      birthDate: required(date),
      genderCode: { type: "Text", values: ["F", "M", "U"] },
      subscriberRelationshipCode: required(code("[A-Z0-9]{2}")),
      ...address,
      prognosisCode: code("[A-Z0-9]{1,3}"),
      statusCode: digits(2),
    },
  }),
  renderingProviders: {
    type: "ObjectArray",
    maxRepeats: 14,
    elements: { ...provider, roleCode: code("[A-Z0-9]{2,3}") },
  },
  diagnoses: required({ type: "ObjectArray", maxRepeats: 12, elements: diagnosis }),
  procedures: required({ type: "ObjectArray", maxRepeats: 99, elements: procedure }),
  providerNotes: { type: "ObjectArray", maxRepeats: 99, elements: note },
};

/** What may be changed once a request is taken; each record repeats it. */
export const updatableFields = [
  "serviceLevelCode",
  "placeOfServiceCode",
  "fromDate",
  "toDate",
  "quantity",
  "quantityTypeCode",
  "renderingProviders",
  "diagnoses",
  "procedures",
  "providerNotes",
] as const;
