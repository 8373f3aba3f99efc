import { isNode, nodesAt, textAt, type Node } from "#simulator/json";
import type { FieldError } from "./errors.ts";
import { fields, updatableFields, type Field, type Fields } from "./fields.ts";

type Place = { readonly path: string; readonly index: number | undefined };

const top: Place = { path: "", index: undefined };

/** Everything that keeps a document from being a service review this payer takes. */
export function documentErrors(document: Node): readonly FieldError[] {
  const errors = memberErrors(document, fields, top);
  return errors.length > 0 ? errors : crossErrors(document);
}

/** Whether an update names only what may be changed. */
export function updateErrors(update: Node): readonly FieldError[] {
  const allowed: readonly string[] = ["id", ...updatableFields];
  return Object.keys(update)
    .filter((name) => !allowed.includes(name))
    .map((field) => ({ field, code: "notUpdatable", errorMessage: "may not be updated" }));
}

function memberErrors(node: Node, known: Fields, at: Place): readonly FieldError[] {
  const unknown = Object.keys(node)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => error(within(at, name), "unknown", "is not a member of the contract"));
  const others = Object.entries(known).flatMap(([name, field]) => valueErrors(node[name], field, within(at, name)));
  return [...unknown, ...others];
}

function valueErrors(value: unknown, field: Field, at: Place): readonly FieldError[] {
  if (value === undefined) return field.required ? [error(at, "required", "is required")] : [];
  switch (field.type) {
    case "Object":
      return isNode(value) ? memberErrors(value, field.elements ?? {}, at) : [error(at, "format", "must be an object")];
    case "ObjectArray":
      return listErrors(value, field, at);
    case "Boolean":
      return typeof value === "boolean" ? [] : [error(at, "format", "must be true or false")];
    case "Date":
      return typeof value === "string" && isDay(value) ? [] : [error(at, "format", "must be a day, YYYY-MM-DD")];
    case "Text":
      return textErrors(value, field, at);
  }
}

function listErrors(value: unknown, { required, maxRepeats = 99, elements = {} }: Field, at: Place) {
  if (!Array.isArray(value)) return [error(at, "format", "must be a list")];
  if (required && value.length === 0) return [error(at, "required", "must hold something")];
  if (value.length > maxRepeats) return [error(at, "tooMany", `must hold at most ${maxRepeats}`)];
  return value.flatMap((each: unknown, index) =>
    isNode(each)
      ? memberErrors(each, elements, { path: at.path, index })
      : [error({ path: at.path, index }, "format", "must be an object")],
  );
}

function textErrors(value: unknown, { maxLength, pattern, values }: Field, at: Place): readonly FieldError[] {
  if (typeof value !== "string") return [error(at, "format", "must be text")];
  if (value.trim() === "") return [error(at, "required", "must not be empty")];
  if (/\p{Cc}/u.test(value)) return [error(at, "format", "must hold no control characters")];
  if (maxLength !== undefined && [...value].length > maxLength)
    return [error(at, "tooLong", `must be at most ${maxLength} characters`)];
  if (values && !values.includes(value)) return [error(at, "value", `must be one of ${values.join(", ")}`)];
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`).test(value))
    return [error(at, "format", `must have the form ${pattern}`)];
  return at.path.endsWith("npi") && !isNpi(value) ? [error(at, "format", "has a wrong check digit")] : [];
}

/** What must hold between members. */
function crossErrors(document: Node): readonly FieldError[] {
  const procedures = nodesAt(document, "procedures");
  const principals = nodesAt(document, "diagnoses").filter((each) => each["qualifierCode"] === "ABK");
  const undated = document["fromDate"] === undefined && procedures.some((each) => each["fromDate"] === undefined);
  const whole = { path: "", index: undefined };
  return [
    ...(principals.length === 1 ? [] : [error(within(whole, "diagnoses"), "value", "must name one principal (ABK)")]),
    ...(undated ? [error(within(whole, "fromDate"), "required", "is required where a procedure has none")] : []),
    ...[document, ...procedures].flatMap((each, at) => {
      const place = at === 0 ? whole : { path: "procedures", index: at - 1 };
      return [...datesErrors(each, place), ...quantityErrors(each, place)];
    }),
    ...procedures.flatMap((each, index) =>
      each["qualifierCode"] === "HC" && !/^(?:\d{4}[\dFTUM]|[A-V]\d{4})$/.test(textAt(each, "code") ?? "")
        ? [error(within({ path: "procedures", index }, "code"), "format", "is no HCPCS code")]
        : [],
    ),
  ];
}

function datesErrors(node: Node, at: Place): readonly FieldError[] {
  const [from, to] = [textAt(node, "fromDate"), textAt(node, "toDate")];
  return from !== undefined && to !== undefined && to < from
    ? [error(within(at, "toDate"), "value", "is before fromDate")]
    : [];
}

function quantityErrors(node: Node, at: Place): readonly FieldError[] {
  const [amount, unit] = [textAt(node, "quantity"), textAt(node, "quantityTypeCode")];
  if ((amount === undefined) !== (unit === undefined))
    return [error(within(at, "quantity"), "required", "and quantityTypeCode come together")];
  return amount !== undefined && Number(amount) === 0 ? [error(within(at, "quantity"), "value", "must not be 0")] : [];
}

function within({ path, index }: Place, name: string): Place {
  return { path: path === "" ? name : `${path}.${name}`, index };
}

function error({ path: field, index }: Place, code: string, errorMessage: string): FieldError {
  return { field, code, errorMessage, ...(index === undefined ? {} : { index }) };
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** 45 CFR 162.406: the check digit of 80840 and the number. */
function isNpi(text: string): boolean {
  let sum = 24;
  for (let at = 0; at < 10; at += 1) {
    const digit = Number(text[at]);
    const value = at % 2 === 0 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
