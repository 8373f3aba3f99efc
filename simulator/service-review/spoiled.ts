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
    case "partial-units":
      return { ...reply, body: changed(body, (record) => withLines(record, { quantity: "1" })) };
    case "other-procedure":
      return { ...reply, body: changed(body, (record) => withLines(record, { code: "99999" })) };
    case "future-date":
      return {
        ...reply,
        body: changed(body, (record) => ({ ...record, updatedDate: "2099-01-01T00:00:00.000+0000" })),
      };
    case "brother":
      return { ...reply, body: changed(body, ofBrother) };
    case "header-only":
      return { ...reply, body: changed(body, decidedAsWhole) };
    // Whether it is live data, an answer on this wire says by the marker alone.
    case "live-marked":
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

function withLines(record: Node, change: Node): Node {
  return { ...record, procedures: nodesAt(record, "procedures").map((line) => ({ ...line, ...change })) };
}

/** The same member id, and another person. */
function ofBrother(record: Node): Node {
  const brother = { firstName: "Brother", lastName: "Sibling", birthDate: "1971-01-01", genderCode: "M" };
  return { ...record, patient: { ...nodeAt(record, "patient"), ...brother } };
}

function decidedAsWhole({ procedures, ...record }: Node): Node {
  const [first] = nodesAt({ procedures }, "procedures");
  const { statusCode, status } = first ?? {};
  return statusCode === undefined ? record : { ...record, statusCode, status };
}

function anotherNumber(record: Node): Node {
  return { ...record, providerNotes: [{ message: "Trace number SOMEBODY-ELSE-1-T" }] };
}
