import type { Role } from "#lib/access/model/actor";
import type { Place } from "#components/keyboard/place";

/** Where people can go, in the order it stands at the side; `key` follows a `g`. */
const places = [
  { id: "home", href: "/", name: "Home", role: "reviewer", alsoFor: "admin", key: "h" },
  { id: "queue", href: "/queue", name: "Queue", role: "reviewer", key: "q" },
  { id: "reports", href: "/reports", name: "Reports", role: "reviewer", alsoFor: "admin", key: "t" },
  { id: "channels", href: "/channels", name: "Channels", role: "admin", key: "c" },
  { id: "practices", href: "/practices", name: "Practices", role: "admin", key: "p" },
  { id: "people", href: "/people", name: "People", role: "admin", key: "e" },
  { id: "audit", href: "/audit", name: "Audit", role: "auditor", alsoFor: "admin", key: "a" },
] as const satisfies readonly (Place & { readonly id: string; readonly role: Role; readonly alsoFor?: Role })[];

export type PlaceId = (typeof places)[number]["id"];

export function placesOf(roles: readonly Role[]) {
  return places.filter((place) => roles.includes(place.role) || ("alsoFor" in place && roles.includes(place.alsoFor)));
}
