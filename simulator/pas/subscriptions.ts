import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Payer } from "#simulator/core/payer";
import type { Faults } from "#simulator/faults";
import type { Node } from "#simulator/json";
import { eventNotification, handshake, type Standing } from "./notification.ts";
import { currentOf } from "./operations.ts";
import { createPushes, type Push } from "./pushes.ts";
import { echoOf, faceName } from "./read-request.ts";
import { responseBundle } from "./response.ts";
import { endpointOf, headersOf, organizationsOf } from "./subscription-rules.ts";
import type { PasVersion } from "./version.ts";

/** A Subscription as the payer keeps it. */
export type Subscription = Standing & {
  readonly id: string;
  readonly version: PasVersion;
  readonly resource: Node;
};

/** Who is told of decisions that no message asked for. */
export type Subscriptions = {
  /** Takes a checked Subscription, and greets its endpoint; `base` is the address it was posted under. */
  readonly create: (resource: Node, at: { readonly base: string; readonly version: PasVersion }) => Subscription;
  readonly find: (id: string) => Subscription | undefined;
  readonly remove: (id: string) => boolean;
  readonly all: () => readonly Subscription[];
  readonly pushes: () => readonly Push[];
};

type Options = {
  readonly payer: Payer;
  readonly faults: Faults;
  readonly file?: string | undefined;
  readonly retryMs?: readonly number[] | undefined;
};

/** Keeps the subscriptions, in a file where there is one; what was waiting to be sent does not outlive a restart. */
export function createSubscriptions({ payer, faults, file, retryMs }: Options): Subscriptions {
  const byId = new Map(read(file).map((each) => [each.id, each]));
  const pushes = createPushes({ faults, retryMs });
  const keep = (next: Subscription): Subscription => {
    byId.set(next.id, next);
    write(file, [...byId.values()]);
    return next;
  };
  const send = async (
    to: Subscription,
    body: Node,
    about: { readonly memberId?: string; readonly trace?: string | undefined },
  ) => {
    const letter = { subscription: to.id, event: to.events, endpoint: endpointOf(to.resource), body, about };
    const isTaken = await pushes.send({ ...letter, headers: headersOf(to.resource) ?? {} });
    const now = byId.get(to.id);
    if (now) keep({ ...now, status: isTaken ? "active" : "error" });
  };
  payer.onDecided((of) => {
    const [current] = of.face === faceName ? currentOf(payer, of) : [];
    if (!current) return;
    const { senders } = echoOf(current.message);
    for (const each of byId.values()) {
      if (!isFor(each, senders)) continue;
      const next = keep({ ...each, events: each.events + 1 });
      const at = payer.clock.now();
      const body = eventNotification(next, { bundle: responseBundle(current, at, next.version), at });
      void send(next, body, { memberId: of.memberId, trace: current.message.trace });
    }
  });
  return {
    create: (resource, { base, version }) => {
      const id = randomUUID();
      const created = keep({
        id,
        version,
        resource,
        url: `${base}/Subscription/${id}`,
        status: "requested",
        events: 0,
      });
      void send(created, handshake(created, payer.clock.now()), {});
      return created;
    },
    find: (id) => byId.get(id),
    remove: (id) => {
      const isThere = byId.delete(id);
      write(file, [...byId.values()]);
      return isThere;
    },
    all: () => [...byId.values()],
    pushes: pushes.all,
  };
}

/** Only who answered its greeting is told, and only of the cases of its own organizations. */
function isFor({ status, resource }: Subscription, senders: readonly string[]): boolean {
  return status !== "requested" && organizationsOf(resource).some((each) => senders.includes(each));
}

function read(file: string | undefined): readonly Subscription[] {
  if (file === undefined || !existsSync(file)) return [];
  // Safe because only this module writes the file.
  return JSON.parse(readFileSync(file, "utf8")) as Subscription[];
}

function write(file: string | undefined, subscriptions: readonly Subscription[]): void {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, JSON.stringify(subscriptions), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
