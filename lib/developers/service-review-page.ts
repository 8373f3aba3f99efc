import {
  certificationTypes,
  placesOfService,
  quantityUnits,
  relationships,
  serviceTypes,
} from "#lib/task/model/formats";
import { codeText } from "#lib/messages/labels/codes";
import { serviceReviewSchema } from "#lib/task/model/service-review";
import { connectors } from "#lib/payer/connectors";
import { fieldText } from "#lib/messages/agent/fields";
import { formOf } from "./form.ts";
import { serviceReviewJson, type JsonSchema } from "#lib/a2a/params/skill-json";
import { table } from "./table.ts";

/** A member that is a value and not an object, by its JSON pointer; `[]` stands for any place in a list. */
export type Field = { readonly pointer: string; readonly schema: JsonSchema; readonly isRequired: boolean };

/** Every member of a service review, in the order of the schema. */
export const fields: readonly Field[] = fieldsOf(serviceReviewJson, "", true);

function fieldsOf(schema: JsonSchema, pointer: string, isRequired: boolean): readonly Field[] {
  const { properties, required = [], items } = schema;
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) =>
      fieldsOf(member, `${pointer}/${name}`, isRequired && required.includes(name)),
    );
  if (items && fieldText(pointer) === undefined) return fieldsOf(items, `${pointer}[]`, isRequired);
  return [{ pointer, schema, isRequired }];
}

const sections: readonly (readonly [title: string, prefix: RegExp])[] = [
  ["The request", /^\/(?:payer\/)?[^/[]+$/],
  ["Subscriber", /^\/subscriber\//],
  ["Patient", /^\/patient\//],
  ["Coverage", /^\/coverage\//],
  ["Requesting provider", /^\/requestingProvider\//],
  ["Rendering providers", /^\/renderingProviders\[\]\//],
  ["Diagnoses", /^\/diagnoses\[\]\//],
  ["Procedures", /^\/procedures\[\]\//],
  ["Notes to the payer", /^\/providerNotes\[\]\//],
  ["Facility", /^\/facility\//],
  ["Files", /^\/fileTypes\[\]\//],
  ["Appeal", /^\/appeal\//],
  ["Accident, conditions and home health", /^\/(?:accident|conditions\[\]|homeHealth)\//],
];

/** The page about the service review: each member with its form, its codes and where it goes. */
export function serviceReviewPage(): string {
  const parts = sections.map(([title, prefix]) => {
    const rows = fields.filter(({ pointer }) => prefix.test(pointer)).map(rowOf);
    return `## ${title}\n\n${table(["member", "what it says", "form", "example", "not sent by"], rows)}`;
  });
  return [introduction, ...parts, `## Codes\n\n${codes()}`].join("\n\n");
}

const introduction = `# Service review

What an agent asks a payer to certify. Only \`payer.id\` and one \`procedures[].code\` are required to open a task. What is present must have the form below; a member with a wrong form is refused with -32602, its path and the reason. A member that the service does not know is kept, shown to the reviewer and not submitted.

The last column names the kinds of payer connection that have no place for a member: \`service-review\` and \`pas-fhir\` are electronic. Where a practice submits manually, a person sees every member. What a payer connection needs beyond the two comes back as \`missing\`.

The same as a [JSON Schema](/developers/schemas/service-review.json).`;

function rowOf({ pointer, schema, isRequired }: Field): readonly string[] {
  const text = fieldText(pointer);
  const name = pointer.slice(1).replaceAll("/", ".");
  return [
    `\`${name}\`${isRequired ? " (required)" : ""}`,
    text?.says ?? "",
    text?.form ?? formOf(schema),
    text === undefined ? "" : `\`${JSON.stringify(text.example)}\``,
    notSentBy(pointer).join(", "),
  ];
}

const sent = new Map(
  (["pas-fhir", "service-review"] as const).map((name) => {
    const settings = Object.fromEntries(connectors[name].settings.map((field) => [field.name, ""]));
    const leftOut = connectors[name].leftOut(serviceReviewSchema.parse(example()), settings);
    return [name, leftOut.map((pointer) => pointer.replaceAll(/\/\d+/g, "[]"))] as const;
  }),
);

/** The electronic connectors that leave a member out. */
export function notSentBy(pointer: string): readonly string[] {
  return [...sent].flatMap(([name, out]) =>
    out.some((each) => pointer === each || pointer.startsWith(`${each}/`) || pointer.startsWith(`${each}[]`))
      ? [name]
      : [],
  );
}

/** A service review with every member, made of the examples. */
export function example(): object {
  return Object.fromEntries(
    Object.entries(serviceReviewJson.properties ?? {}).map(([name, schema]) => [name, exampleOf(schema, `/${name}`)]),
  );
}

function exampleOf({ properties, items }: JsonSchema, pointer: string): unknown {
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, exampleOf(member, `${pointer}/${name}`)]),
    );
  const text = fieldText(pointer);
  if (text !== undefined) return text.example;
  return items ? [exampleOf(items, `${pointer}[]`)] : undefined;
}

type Kind = Parameters<typeof codeText>[0];

const listed: readonly (readonly [member: string, kind: Kind, codes: Iterable<string>])[] = [
  ["serviceTypeCode", "serviceType", serviceTypes],
  ["placeOfServiceCode", "place", placesOfService],
  ["patient.subscriberRelationshipCode", "relationship", relationships],
  ["patient.genderCode", "gender", ["F", "M", "U"]],
  ["quantityTypeCode", "unit", quantityUnits],
  ["certificationTypeCode", "certification", certificationTypes],
  ["requestTypeCode", "request", ["AR", "HS", "SC", "IN"]],
  ["serviceLevelCode", "level", ["U", "E", "03"]],
  ["diagnoses[].qualifierCode", "diagnosis", ["ABK", "ABF", "ABJ"]],
];

function codes(): string {
  const rows = listed.map(([member, kind, list]) => [
    `\`${member}\``,
    [...list].map((code) => codeText(kind, code)).join(" · "),
  ]);
  const note =
    "In our own words where we have some. A code that is not listed is a warning and no refusal, except in `requestTypeCode`, `serviceLevelCode`, `genderCode` and `qualifierCode`.";
  return `${note}\n\n${table(["member", "codes"], rows)}`;
}
