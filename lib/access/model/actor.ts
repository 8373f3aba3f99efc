/** One permission of a channel, named after the operation it opens. None releases anything. */
export const atoms = ["prior_auth_intake", "prior_auth_void", "tasks_get", "tasks_cancel"] as const;
export type Atom = (typeof atoms)[number];

/** Powers granted one by one. A reviewer decides, an admin sets up, an auditor reads the record. */
export const roles = ["reviewer", "admin", "auditor"] as const;
export type Role = (typeof roles)[number];

/** An agent client, as its credential says: active practices it reaches, and the atoms it holds. */
export type ChannelActor = {
  readonly kind: "channel";
  readonly id: string;
  /** The public id of the key it called with. */
  readonly keyId?: string | undefined;
  readonly practices: readonly string[];
  readonly atoms: readonly Atom[];
};

/** Where a power holds: in every practice, those made later too, or in these. */
export type Reach = "every" | readonly string[];

/** A signed-in person, read anew for each request; each power is granted practice by practice. */
export type PersonActor = {
  readonly kind: "person";
  readonly id: string;
  readonly name: string;
  /** Those they hold anywhere: what they are shown the way to, never what they may do. */
  readonly roles: readonly Role[];
  /** Those they review for; always named. */
  readonly practices: readonly string[];
  readonly administers: Reach;
  readonly audits: Reach;
  /** When they last proved who they are in this session. */
  readonly provedAt?: Date | undefined;
  /** The provider this session was begun through; none where it was a password. */
  readonly issuer?: string | undefined;
};

/** The service itself, carrying out what was released. */
export type WorkerActor = { readonly kind: "worker" };

/** Someone with the machine's own access, at the command line. */
export type OperatorActor = { readonly kind: "operator" };

export type Actor = ChannelActor | PersonActor | WorkerActor | OperatorActor;

/** The actor's name in the audit record: kind and id, never a person's name. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "channel":
      return `channel:${actor.id}`;
    case "person":
      return `person:${actor.id}`;
    case "worker":
      return "worker";
    case "operator":
      return "operator";
  }
}

/** Where somebody may set things up. */
export function administers(actor: Actor): Reach {
  if (actor.kind === "operator") return "every";
  return actor.kind === "person" ? actor.administers : [];
}

/** Whether they may set up anything at all. */
export function isAdmin(actor: Actor): boolean {
  return reachesAny(administers(actor));
}

export function reachesAny(reach: Reach): boolean {
  return reach === "every" || reach.length > 0;
}

/** Whether the reach holds in all of these; of what is in no practice, only where it holds in every one. */
export function reaches(reach: Reach, practices: readonly string[]): boolean {
  return reach === "every" || (practices.length > 0 && practices.every((id) => reach.includes(id)));
}
