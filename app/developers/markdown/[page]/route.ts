import { markdownOf, pageOf } from "#lib/developers/pages";
import { env } from "#lib/platform/env";

type RouteContext = { readonly params: Promise<{ readonly page: string }> };

/** A page for developers as Markdown; its address is `/developers/<page>.md`. */
export async function GET(_: Request, { params }: RouteContext): Promise<Response> {
  const page = pageOf((await params).page);
  if (!page) return new Response("Not found\n", { status: 404, headers });
  return new Response(markdownOf(page, env().PUBLIC_URL), { headers });
}

const headers = { "content-type": "text/markdown; charset=utf-8" };
