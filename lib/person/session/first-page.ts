import type { PersonActor } from "#lib/access/model/actor";

/** The page where a person's work begins. */
export function firstPage({ roles }: Pick<PersonActor, "roles">): "/queue" | "/channels" | "/audit" {
  if (roles.includes("reviewer")) return "/queue";
  if (roles.includes("admin")) return "/channels";
  return roles.includes("auditor") ? "/audit" : "/queue";
}
