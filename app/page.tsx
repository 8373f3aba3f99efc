import { redirect } from "next/navigation";
import { firstPage } from "#lib/person/session/first-page";
import { requirePerson } from "#lib/person/session/person";

/** Sends people to where their work is. */
export default async function Home() {
  redirect(firstPage(await requirePerson("/")));
}
