import type { Payer } from "./core/payer.ts";
import { actions, scenarios, type Action } from "./core/scenarios.ts";
import { faultOf, faults, type Faults } from "./faults.ts";
import type { Subscriptions } from "./pas/subscriptions.ts";
import { clientOf, type Clients } from "./tokens/clients.ts";
import type { Tokens } from "./tokens/tokens.ts";
import { isNode, numberAt, textAt, type Node } from "./json.ts";

export type ControlReply = { readonly status: number; readonly body: unknown };
/** What can be seen and steered. */
export type Steering = {
  readonly payer: Payer;
  readonly faults: Faults;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly subscriptions: Subscriptions;
};
type Route = (desk: Steering, body: Node, query: URLSearchParams) => ControlReply;

/** The control API: what tests and people use to see and steer the payer. Not part of any payer's wire. */
const routes: Readonly<Record<string, Route>> = {
  "GET /control/ledger": ({ payer }, _, query) => {
    const wanted = ["trace", "sha256", "memberId"] as const;
    const requests = payer
      .ledger()
      .filter((entry) => wanted.every((name) => !query.has(name) || entry[name] === query.get(name)));
    return { status: 200, body: { requests } };
  },
  "POST /control/decide": decide,
  "GET /control/clock": ({ payer }) => ({ status: 200, body: { now: payer.clock.now().toISOString() } }),
  "POST /control/clock": ({ payer }, body) => {
    const forwardMs = numberAt(body, "forwardMs");
    const now =
      forwardMs === undefined ? new Date(textAt(body, "now") ?? "") : new Date(payer.clock.now().getTime() + forwardMs);
    if (Number.isNaN(now.getTime())) return problem(400, "now must be an RFC 3339 instant, or forwardMs a number");
    payer.clock.set(now);
    return { status: 200, body: { now: payer.clock.now().toISOString() } };
  },
  "GET /control/faults": (desk) => ({ status: 200, body: { planned: desk.faults.planned(), known: faults } }),
  "POST /control/faults": (desk, body) => {
    const fault = faultOf(body);
    if ("problem" in fault) return problem(400, fault.problem);
    desk.faults.plan(fault);
    return { status: 200, body: { planned: desk.faults.planned() } };
  },
  "DELETE /control/faults": (desk) => {
    desk.faults.clear();
    return { status: 200, body: { planned: [] } };
  },
  "GET /control/clients": ({ clients }) => ({ status: 200, body: { clients: clients.ids() } }),
  "POST /control/clients": ({ clients }, body) => {
    const client = clientOf(body);
    if (!client) return problem(400, "clientId must be there, and one of jwks, jwksUrl and secret");
    clients.register(client);
    return { status: 200, body: { clients: clients.ids() } };
  },
  "GET /control/tokens": ({ tokens }) => ({ status: 200, body: { issued: tokens.issued() } }),
  "GET /control/subscriptions": ({ subscriptions }) => ({
    status: 200,
    body: {
      subscriptions: subscriptions
        .all()
        .map(({ id, version, url, status, events }) => ({ id, version, url, status, events })),
    },
  }),
  "GET /control/pushes": ({ subscriptions }) => ({ status: 200, body: { pushes: subscriptions.pushes() } }),
  "GET /control/scenarios": () => ({
    status: 200,
    body: { scenarios },
  }),
};

/** Answers one control request; undefined for an address it does not have. */
export function control(
  desk: Steering,
  { method, url, body }: { method: string; url: URL; body: unknown },
): ControlReply | undefined {
  const key = `${method} ${url.pathname}`;
  if (!Object.hasOwn(routes, key)) return undefined;
  return routes[key]?.(desk, isNode(body) ? body : {}, url.searchParams);
}

function decide({ payer }: Steering, body: Node): ControlReply {
  const action = textAt(body, "action");
  const number = textAt(body, "trace") ?? textAt(body, "reference");
  if (!isAction(action)) return problem(400, `action must be one of ${actions.join(", ")}`);
  if (number === undefined) return problem(400, "trace or reference must name the case");
  const [found, ...others] = payer.find({ numbers: [number] });
  if (!found || others.length > 0) return problem(404, "no single case has this trace or reference");
  if (found.state === "rejected" || found.state === "refused")
    return problem(409, "a rejected request is no case to decide");
  const decided = payer.decide(found, {
    actions: [action],
    reason: "0V",
    ...noted(textAt(body, "note")),
  });
  return {
    status: 200,
    body: {
      state: decided.state,
      reference: decided.reference,
      authorizationNumber: decided.authorizationNumber,
      decidedAt: decided.decidedAt,
    },
  };
}

function noted(note: string | undefined): { note?: string } {
  return note === undefined ? {} : { note };
}

function isAction(text: string | undefined): text is Action {
  return (actions as readonly (string | undefined)[]).includes(text);
}

function problem(status: number, text: string): ControlReply {
  return { status, body: { problem: text } };
}
