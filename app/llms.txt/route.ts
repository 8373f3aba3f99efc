import { connection } from "next/server";
import { llmsText } from "#lib/developers/pages";
import { env } from "#lib/platform/env";

/** The pages for developers, listed for language models. */
export async function GET(): Promise<Response> {
  await connection();
  return new Response(llmsText(env().PUBLIC_URL), { headers: { "content-type": "text/plain; charset=utf-8" } });
}
