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

/** A signed-in person, read anew for each request; `practices` are those they review for. */
export type PersonActor = {
  readonly kind: "person";
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly practices: readonly string[];
  /** When they last proved who they are in this session. */
  readonly provedAt?: Date | undefined;
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

export function isAdmin(actor: Actor): boolean {
  return actor.kind === "operator" || (actor.kind === "person" && actor.roles.includes("admin"));
}
