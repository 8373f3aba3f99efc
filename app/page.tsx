import { redirect } from "next/navigation";
import { requirePerson } from "#lib/auth/person";

/** Sends people to where their work is. */
export default async function Home() {
  const { roles } = await requirePerson("/");
  redirect(roles.includes("admin") && !roles.includes("reviewer") ? "/channels" : "/queue");
}
