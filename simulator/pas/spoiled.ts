import type { Spoiling } from "#simulator/face";
import { nothingFound } from "./response.ts";
import { isNode, nodeAt, nodesAt, type Node } from "#simulator/json";

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
  }
}

const someUrn = "urn:uuid:00000000-0000-8000-a000-000000000000";

/** In the requester's own numbering, so that it can be nobody else's. */
function ofOtherTrace(response: Node): Node {
  const [trace] = nodesAt(response, "identifier");
  return { ...response, identifier: [{ ...trace, value: "SOMEBODY-ELSE" }] };
}

/** Changes the first resource of a bundle, or of each bundle in Parameters. */
function withResponse(reply: Node, change: (response: Node) => Node): Node {
  if ("parameter" in reply) {
    const parameter = nodesAt(reply, "parameter").map((each) => ({
      ...each,
      resource: withResponse(nodeAt(each, "resource"), change),
    }));
    return { ...reply, parameter };
  }
  const [first, ...others] = nodesAt(reply, "entry");
  return { ...reply, entry: [{ ...first, resource: change(nodeAt(first ?? {}, "resource")) }, ...others] };
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
