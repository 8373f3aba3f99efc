import { createHash } from "node:crypto";
import type { About } from "#simulator/about";
import type { Payer } from "#simulator/core/payer";
import type { Answer, PayerRequest, Face } from "#simulator/face";
import type { Refusal } from "#simulator/faults";
import { json, parsed, type Call, type Reply } from "#simulator/http";
import { isNode, type Node } from "#simulator/json";
import { configurationPage } from "./configuration.ts";
import { memberIdOf, traceOf } from "./document.ts";
import { errorReply, marker } from "./errors.ts";
import { cancel, collection, create, search, tell, update, type Body, type Result } from "./operations.ts";
import { spoiled } from "./spoiled.ts";
import { objectionTo, tokenReply, unauthorized, type Desk as Door } from "./token.ts";

type Desk = Door & { readonly payer: Payer };

const verbs: Readonly<Record<string, readonly string[]>> = {
  "/v1/token": ["POST"],
  "/v1/configurations": ["GET"],
  [collection]: ["GET", "POST", "PUT"],
  [`${collection}/{id}`]: ["GET", "DELETE"],
};

/** The X12 278-shaped REST of clearinghouses (Service Reviews 2.0.0) over the payer, as its demo plan answers. */
export function serviceReviewFace(desk: Desk): Face {
  return { open: (call) => Promise.resolve(open(desk, call)), refuse };
}

function open(desk: Desk, call: Call): PayerRequest | Reply | undefined {
  const { pathname } = call.url;
  const id = pathname.startsWith(`${collection}/`) ? pathname.slice(collection.length + 1) : undefined;
  const address = id === undefined ? pathname : `${collection}/{id}`;
  const allowed = Object.hasOwn(verbs, address) ? verbs[address] : undefined;
  if (!allowed) return undefined;
  if (!allowed.includes(call.method))
    return errorReply(405, "This address has other verbs.", { headers: { Allow: allowed.join(", ") } });
  if (address === "/v1/token") return { operation: "token", about: {}, answer: () => tokenAnswer(desk, call) };
  const objection = objectionTo(desk, call);
  if (objection) return objection;
  const bearer = call.headers.authorization?.slice("Bearer ".length) ?? "";
  return { ...requestIn(desk, call, id), expire: () => desk.tokens.expire(bearer) };
}

function requestIn({ payer }: Desk, call: Call, id: string | undefined): PayerRequest {
  const { method, url } = call;
  if (url.pathname === "/v1/configurations")
    return inquiry({}, () => ({
      reply: { ...json(200, configurationPage(url.searchParams)), headers: marker },
      accepted: true,
    }));
  if (method === "DELETE" && id !== undefined)
    return submission(aboutCase(payer, id), () => cancel(payer, id, digestOf(call)));
  if (id !== undefined) return inquiry(aboutCase(payer, id), () => tell(payer, id));
  if (method === "GET")
    return inquiry({ memberId: url.searchParams.get("subscriber.memberId") ?? undefined }, () =>
      search(payer, url.searchParams),
    );
  const body = bodyIn(call);
  if ("status" in body) return submission({}, () => ({ reply: body, accepted: false }));
  const { document } = body;
  return method === "POST"
    ? submission(aboutOf(document), () => create(payer, body))
    : submission({ ...aboutCase(payer, document["id"]), ...tracedBy(document) }, () => update(payer, body));
}

function submission(about: About, answer: () => Result): PayerRequest {
  return { operation: "submit", about, answer: () => answerOf(answer()) };
}

function inquiry(about: About, answer: () => Result): PayerRequest {
  return { operation: "inquire", about, answer: () => answerOf(answer()) };
}

function answerOf({ reply, accepted }: Result): Answer {
  return { reply, accepted, spoiled: (how) => spoiled(reply, how) };
}

/** There is nobody else a token could be about, and no mark on it. */
function tokenAnswer(desk: Desk, call: Call): Answer {
  const reply = tokenReply(desk, call);
  return { reply, accepted: reply.status === 200, spoiled: () => reply };
}

/** The JSON object of a body, or the reply that refuses it. */
function bodyIn(call: Call): Body | Reply {
  const { headers, body } = call;
  if (!body) return errorReply(413, "The request is too large.");
  if (!/^application\/json\b/i.test(headers["content-type"] ?? ""))
    return errorReply(415, "The body must be application/json.");
  const document = parsed(body);
  return isNode(document)
    ? { document, sha256: digestOf(call) }
    : errorReply(400, "The body is not a JSON object in UTF-8.");
}

function digestOf({ body }: Call): string {
  return createHash("sha256")
    .update(body ?? new Uint8Array())
    .digest("hex");
}

function aboutOf(document: Node): About {
  return { memberId: memberIdOf(document), trace: traceOf(document) };
}

function tracedBy(document: Node): About {
  const trace = traceOf(document);
  return trace === undefined ? {} : { trace };
}

function aboutCase(payer: Payer, id: unknown): About {
  const of = payer.cases().find((each) => each.id === id);
  return of ? { memberId: of.memberId, trace: payer.messagesOf(of).findLast(({ trace }) => trace)?.trace } : {};
}

function refuse(refusal: Refusal, retryAfterS: number): Reply {
  const headers = { "Retry-After": String(retryAfterS) };
  switch (refusal) {
    case "unauthorized":
      return unauthorized();
    case "rate-limited":
      return errorReply(429, "The transaction rate limit has been exceeded.", { headers });
    case "unavailable":
      return { status: 503, type: "text/plain", body: "unavailable", headers };
    case "broken":
      return { status: 500, type: "text/plain", body: "internal error" };
    case "invalid":
      return errorReply(400, "Refused by a planned fault.");
  }
}
