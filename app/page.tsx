import { redirect } from "next/navigation";
import { firstPage } from "#lib/auth/first-page";
import { requirePerson } from "#lib/auth/person";

/** Sends people to where their work is. */
export default async function Home() {
  redirect(firstPage(await requirePerson("/")));
}
