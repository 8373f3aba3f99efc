import { randomBytes } from "node:crypto";
import type { Context } from "#lib/access/context";
import type { Actor, OperatorActor, PersonActor } from "#lib/access/model/actor";
import type { InvitationLink, invitePerson } from "#lib/person/invite-person";
import type { Result } from "#lib/platform/result";
import type { Store } from "#lib/db/db";

export const operator: OperatorActor = { kind: "operator" };

/** Everyone who is no admin. */
export const others: readonly (readonly [who: string, actor: Actor])[] = [
  ["a reviewer", aPerson({ roles: ["reviewer"] })],
  ["a person without roles", aPerson({ roles: [] })],
  ["a channel", { kind: "channel", id: crypto.randomUUID(), practices: [], atoms: [] }],
  ["the worker", { kind: "worker" }],
];

export function aPerson({ roles }: Pick<PersonActor, "roles">): PersonActor {
  return {
    kind: "person",
    id: crypto.randomUUID(),
    name: "Somebody",
    roles,
    practices: [],
    administers: roles.includes("admin") ? "every" : [],
    audits: [],
  };
}

/** Somebody who has just proved in their session who they are. */
export function proved(actor: PersonActor): PersonActor {
  return { ...actor, provedAt: new Date() };
}

/** A fresh id that no other test uses. */
export function fresh(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString("hex")}`;
}

/** The value, where a refusal would fail the test. */
export async function done<Value>(result: Promise<Result<Value, unknown>>): Promise<Value> {
  const settled = await result;
  if (!settled.ok) throw new Error(`refused: ${JSON.stringify(settled.refusal)}`);
  return settled.value;
}

/** The link of an invitation that waits for nobody. */
export async function linkOf(invited: ReturnType<typeof invitePerson>): Promise<InvitationLink> {
  const value = await done(invited);
  if ("awaiting" in value) throw new Error("The invitation waits for a second administrator.");
  return value;
}

export type Entry = { readonly actor: string; readonly act: string; readonly detail: Record<string, unknown> };

/** What the record says of a chain, oldest first. */
export async function entriesOf({ store }: Pick<Context, "store">, chain: string): Promise<readonly Entry[]> {
  const { rows } = await store.pool.query<{ actor: string; act: string; detail: string }>(
    "SELECT actor, act, detail FROM audit_entry WHERE chain = $1 ORDER BY seq",
    [chain],
  );
  return rows.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as Record<string, unknown> }));
}

/** How many rows of everything an admin writes there are, but for denials; equal before and after where nothing was written. */
export async function everything(store: Store): Promise<unknown> {
  const tables = [
    "practice",
    "channel",
    "channel_practice",
    "channel_key",
    "person",
    "person_role",
    "person_identity",
    "group_role",
    "route",
    "audit_entry",
  ];
  const counts = tables.map(
    (table) =>
      `(SELECT count(*) FROM ${table}${table === "audit_entry" ? " WHERE act <> 'person.denied'" : ""}) AS ${table}`,
  );
  return (await store.pool.query(`SELECT ${counts.join(", ")}`)).rows[0];
}
