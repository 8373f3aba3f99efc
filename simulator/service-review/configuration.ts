import type { Node } from "#simulator/json";
import { fields, type Field, type Fields } from "./fields.ts";

/** GET /v1/configurations: the rules of `fields.ts` as the vendor tells them for one payer and kind of request. */
export function configurationPage(query: URLSearchParams): Node {
  const [payerId, subtypeId] = [query.get("payerId"), query.get("subtypeId") ?? "HS"];
  const configuration = {
    type: "service-reviews",
    subtypeId,
    payerId: payerId ?? "SIM01",
    payerName: "Simulated payer",
    version: "1",
    elements: elementsOf(fields),
  };
  const known = query.get("type") === "service-reviews" && ["AR", "HS", "SC"].includes(subtypeId);
  const configurations = known ? [configuration] : [];
  const count = configurations.length;
  return { totalCount: count, count, offset: 0, limit: 50, links: {}, configurations };
}

function elementsOf(of: Fields): Node {
  return Object.fromEntries(Object.entries(of).map(([name, field]) => [name, elementOf(field)]));
}

function elementOf({ type, required = false, maxLength, pattern, values, maxRepeats, elements }: Field): Node {
  return {
    type,
    allowed: true,
    required,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern: `^(?:${pattern})$` }),
    ...(values === undefined ? {} : { values: values.map((id) => ({ id })) }),
    ...(type === "ObjectArray" ? { repeats: true, maxRepeats: maxRepeats ?? 99 } : {}),
    ...(elements === undefined ? {} : { elements: elementsOf(elements) }),
  };
}
