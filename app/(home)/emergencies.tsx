import type { Context } from "#lib/access/context";
import { isAdmin, type PersonActor } from "#lib/access/model/actor";
import { FigureList } from "./figure-list.tsx";
import { lateEmergencies } from "./late-emergencies.ts";

/** Tells reviewers which cases admins opened, whether or not mail is sent here; admins have it among their own figures. */
export async function Emergencies({ ctx }: { readonly ctx: Context<PersonActor> }) {
  if (isAdmin(ctx.actor) || !ctx.actor.roles.includes("reviewer")) return null;
  const count = await lateEmergencies(ctx);
  if (count === 0) return null;
  const note = "By admins, in the last 7 days";
  const figure = { count, name: "Cases opened in an emergency", note, tone: "warn", href: "/emergency" } as const;
  return <FigureList title="Emergency access" list={[figure]} />;
}
