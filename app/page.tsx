import { redirect } from "next/navigation";
import { requirePerson } from "#lib/auth/person";

/** Sends people to where their work is. */
export default async function Home() {
  const { roles } = await requirePerson("/");
  if (roles.includes("reviewer")) redirect("/queue");
  if (roles.includes("admin")) redirect("/channels");
  redirect(roles.includes("auditor") ? "/audit" : "/queue");
}
