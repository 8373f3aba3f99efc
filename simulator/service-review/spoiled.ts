import type { Spoiling } from "#simulator/face";
import type { Reply } from "#simulator/http";
import { isNode, nodeAt, nodesAt, type Node } from "#simulator/json";
import { parsed } from "#simulator/http";
import { errorReply, marker } from "./errors.ts";

/** The same reply with something wrong in it: about somebody else, under another number, or without the mark of test data. */
export function spoiled(reply: Reply, how: Spoiling): Reply {
  const { headers = {}, body } = reply;
  switch (how) {
    case "unmarked":
      return {
        ...reply,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !Object.hasOwn(marker, name))),
      };
    case "wrong-id": {
      const elsewhere = "Location" in headers ? { Location: "/v2/service-reviews/00000000-somebody-else" } : {};
      return { ...reply, headers: { ...headers, ...elsewhere }, body: changed(body, somebodyElse) };
    }
    case "wrong-trace":
      return { ...reply, body: changed(body, anotherNumber) };
    case "nothing-found":
      return emptied(reply);
    // Said in FHIR's words only.
    case "live-marked":
    case "partial-units":
    case "other-procedure":
    case "future-date":
    case "brother":
    case "header-only":
      return reply;
  }
}

function emptied(reply: Reply): Reply {
  const value = parsed(Buffer.from(reply.body));
  return isNode(value) && "serviceReviews" in value
    ? { ...reply, body: JSON.stringify({ ...value, totalCount: 0, count: 0, serviceReviews: [] }) }
    : errorReply(404, "The requested resource does not exist.");
}

function changed(body: string, change: (record: Node) => Node): string {
  const value = body === "" ? undefined : parsed(Buffer.from(body));
  if (!isNode(value)) return body;
  const list = nodesAt(value, "serviceReviews");
  return JSON.stringify("serviceReviews" in value ? { ...value, serviceReviews: list.map(change) } : change(value));
}

function somebodyElse(record: Node): Node {
  return {
    ...record,
    id: "00000000-somebody-else",
    subscriber: { ...nodeAt(record, "subscriber"), memberId: "SOMEBODY-ELSE" },
  };
}

function anotherNumber(record: Node): Node {
  return { ...record, providerNotes: [{ message: "Trace number SOMEBODY-ELSE-1-T" }] };
}
