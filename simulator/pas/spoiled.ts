import type { Spoiling } from "#simulator/face";
import { nothingFound } from "./response.ts";
import { isNode, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { urls } from "./vocabulary.ts";

/** An answer with something wrong in it, as a payer that errs would send it. */
export function spoiled(reply: Node, how: Spoiling): Node {
  switch (how) {
    case "wrong-id":
      return {
        ...withResponse(reply, (response) => ({ ...ofOtherTrace(response), request: { reference: someUrn } })),
        identifier: { system: "urn:ietf:rfc:3986", value: someUrn },
      };
    case "wrong-trace":
      return withResponse(reply, ofOtherTrace);
    case "unmarked":
      // Safe because an object stays an object.
      return unmarked(reply) as Node;
    case "nothing-found":
      return emptied(reply);
    case "live-marked":
      // Safe because an object stays an object.
      return relabelled(reply) as Node;
    case "partial-units":
      return withItems(reply, { url: "quantity", valueQuantity: { value: 1 } });
    case "other-procedure":
      return withItems(reply, { url: "productOrServiceCode", valueCodeableConcept: { coding: [{ code: "99999" }] } });
    case "future-date":
      return withResponse(reply, dated2099);
    case "brother":
      return withPatient(reply, {
        name: [{ family: "Sibling", given: ["Brother"] }],
        gender: "male",
        birthDate: "1971-01-01",
      });
    case "header-only":
      return withResponse(reply, decidedAsWhole);
  }
}

/** PAS profile-claimresponse-base: `ClaimResponse.adjudication` has a review action of its own, and no item is required. */
function decidedAsWhole({ item: _, addItem: __, ...response }: Node): Node {
  const [first] = nodesAt({ item: _ }, "item");
  return first ? { ...response, adjudication: nodesAt(first, "adjudication") } : response;
}

/** By a clock that is wrong, for the answer and for when its items were issued. */
function dated2099({ item, ...response }: Node): Node {
  const isIssue = (each: Node) => textAt(each, "url") === urls.issued;
  return {
    ...response,
    created: "2099-01-01T00:00:00Z",
    item: nodesAt({ item }, "item").map((each) => ({
      ...each,
      extension: nodesAt(each, "extension").map((one) => (isIssue(one) ? { ...one, valueDate: "2099-01-01" } : one)),
    })),
  };
}

/** Says on every item what was authorized (PAS itemAuthorizedDetail). */
function withItems(reply: Node, detail: Node): Node {
  return withResponse(reply, ({ item, ...response }) => ({
    ...response,
    item: nodesAt({ item }, "item").map((each) => ({
      ...each,
      extension: [...nodesAt(each, "extension"), { url: urls.authorizedDetail, extension: [detail] }],
    })),
  }));
}

/** The same identifiers, and another person. */
function withPatient(reply: Node, person: Node): Node {
  if ("parameter" in reply) return inParameters(reply, (bundle) => withPatient(bundle, person));
  const entry = nodesAt(reply, "entry").map((each) => {
    const resource = nodeAt(each, "resource");
    return textAt(resource, "resourceType") === "Patient" ? { ...each, resource: { ...resource, ...person } } : each;
  });
  return { ...reply, entry };
}

function relabelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relabelled);
  if (!isNode(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === "tag" ? [{ code: "production" }] : relabelled(each)]),
  );
}

const someUrn = "urn:uuid:00000000-0000-8000-a000-000000000000";

/** In the requester's own numbering, so that it can be nobody else's. */
function ofOtherTrace(response: Node): Node {
  const [trace] = nodesAt(response, "identifier");
  return { ...response, identifier: [{ ...trace, value: "SOMEBODY-ELSE" }] };
}

/** Changes the first resource of a bundle, or of each bundle in Parameters. */
function withResponse(reply: Node, change: (response: Node) => Node): Node {
  if ("parameter" in reply) return inParameters(reply, (bundle) => withResponse(bundle, change));
  const [first, ...others] = nodesAt(reply, "entry");
  return { ...reply, entry: [{ ...first, resource: change(nodeAt(first ?? {}, "resource")) }, ...others] };
}

function inParameters(reply: Node, change: (bundle: Node) => Node): Node {
  const parameter = nodesAt(reply, "parameter").map((each) => ({
    ...each,
    resource: change(nodeAt(each, "resource")),
  }));
  return { ...reply, parameter };
}

function emptied(reply: Node): Node {
  const { parameter: _, ...others } = reply;
  return "entry" in others ? { ...others, entry: [nothingFound] } : others;
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isNode(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (name === "tag" ? [] : [[name, unmarked(each)]])),
  );
}
