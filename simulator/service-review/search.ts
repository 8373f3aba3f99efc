import { isNode, type Node } from "#simulator/json";
import type { FieldError } from "./errors.ts";

/** Service Reviews 2.0.0, GET /service-reviews: what a search may name. */
const parameters = new Set([
  "payer.id",
  ...["specialtyCode", "lastName", "firstName", "middleName", "suffix", "npi", "taxId", "payerAssignedProviderId"].map(
    (name) => `requestingProvider.${name}`,
  ),
  ...["submitterId", "addressLine1", "city", "stateCode", "zipCode", "contactName", "phone", "extension", "fax"].map(
    (name) => `requestingProvider.${name}`,
  ),
  ...["memberId", "firstName", "lastName", "middleName", "suffix"].map((name) => `subscriber.${name}`),
  ...["lastName", "firstName", "middleName", "suffix", "birthDate", "subscriberRelationshipCode"].map(
    (name) => `patient.${name}`,
  ),
  ...["requestTypeCode", "fromDate", "toDate", "certificationIssueDate", "certificationNumber", "referenceNumber"],
  ...["statusCode", "sessionId"],
]);

const paging = new Set(["limit", "offset"]);
const limitMax = 50;

/** What keeps a query from being a search. */
export function queryErrors(query: URLSearchParams): readonly FieldError[] {
  const unknown = [...query.keys()]
    .filter((name) => !parameters.has(name) && !paging.has(name))
    .map((field) => ({ field, code: "unknown", errorMessage: "is no parameter of this search" }));
  const missing = ["payer.id", "subscriber.memberId"]
    .filter((name) => (query.get(name) ?? "") === "")
    .map((field) => ({ field, code: "required", errorMessage: "is required" }));
  const { limit, offset } = pageOf(query);
  const whole = Number.isInteger(limit) && Number.isInteger(offset);
  return whole && limit >= 1 && limit <= limitMax && offset >= 0
    ? [...unknown, ...missing]
    : [...unknown, ...missing, { field: "limit", code: "format", errorMessage: `must be 1 to ${limitMax}` }];
}

/** Whether a record says what the query asks for, in either case of letters. */
export function isFound(record: Node, query: URLSearchParams): boolean {
  return [...query].every(
    ([name, value]) => paging.has(name) || textAtPath(record, name)?.toUpperCase() === value.toUpperCase(),
  );
}

/** One page of what was found, as the contract's ResultSet. */
export function page(records: readonly Node[], query: URLSearchParams): Node {
  const { limit, offset } = pageOf(query);
  const serviceReviews = records.slice(offset, offset + limit);
  return { totalCount: records.length, count: serviceReviews.length, offset, limit, links: {}, serviceReviews };
}

function pageOf(query: URLSearchParams): { readonly limit: number; readonly offset: number } {
  return { limit: Number(query.get("limit") ?? limitMax), offset: Number(query.get("offset") ?? 0) };
}

function textAtPath(record: Node, path: string): string | undefined {
  const value = path.split(".").reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), record);
  return typeof value === "string" ? value : undefined;
}
