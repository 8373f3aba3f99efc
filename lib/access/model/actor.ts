/** A permission of a channel, named after the operation that it allows. No permission releases anything. */
export const atoms = ["prior_auth_intake", "prior_auth_void", "tasks_get", "tasks_cancel"] as const;
export type Atom = (typeof atoms)[number];

/** Roles of people. A reviewer decides on cases, an administrator sets up, an auditor reads the audit log. */
export const roles = ["reviewer", "admin", "auditor"] as const;
export type Role = (typeof roles)[number];

/** An agent, as its credential identifies it: the active practices it reaches, and its permissions. */
export type ChannelActor = {
  readonly kind: "channel";
  readonly id: string;
  /** The public id of the API key of this call. */
  readonly keyId?: string | undefined;
  readonly practices: readonly string[];
  readonly atoms: readonly Atom[];
};

/** Where a role applies: in every practice, including later ones, or in these. */
export type Reach = "every" | readonly string[];

/** A signed-in person, read from the database for each request. Each role is granted practice by practice. */
export type PersonActor = {
  readonly kind: "person";
  readonly id: string;
  readonly name: string;
  /** The roles they hold in any practice. Where one is asked for, `practices` or a reach says in which practices. */
  readonly roles: readonly Role[];
  /** The practices they review for, always by id. */
  readonly practices: readonly string[];
  readonly administers: Reach;
  readonly audits: Reach;
  /** When they last proved who they are in this session. */
  readonly provedAt?: Date | undefined;
  /** The issuer of the provider this session began through; none where it began with a password or a passkey. */
  readonly issuer?: string | undefined;
};

/** The service itself, which carries out what people released. */
export type WorkerActor = { readonly kind: "worker" };

/** Releases without a person, in one practice of test data. */
export type AutoReviewerActor = { readonly kind: "auto-reviewer"; readonly practiceId: string };

/** An operator with access to the machine, at the command line. */
export type OperatorActor = { readonly kind: "operator" };

export type Actor = ChannelActor | PersonActor | WorkerActor | AutoReviewerActor | OperatorActor;

/** The actor as the audit log names it: kind and id, never a person's name. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "channel":
      return `channel:${actor.id}`;
    case "person":
      return `person:${actor.id}`;
    case "worker":
      return "worker";
    case "auto-reviewer":
      return "auto-reviewer";
    case "operator":
      return "operator";
  }
}

/** The practices that an actor administers. */
export function administers(actor: Actor): Reach {
  if (actor.kind === "operator") return "every";
  return actor.kind === "person" ? actor.administers : [];
}

/** Whether the actor administers any practice. */
export function isAdmin(actor: Actor): boolean {
  return reachesAny(administers(actor));
}

export function reachesAny(reach: Reach): boolean {
  return reach === "every" || reach.length > 0;
}

/** Whether the reach covers all of these practices; for an empty list, whether it covers every practice. */
export function reaches(reach: Reach, practices: readonly string[]): boolean {
  return reach === "every" || (practices.length > 0 && practices.every((id) => reach.includes(id)));
}
