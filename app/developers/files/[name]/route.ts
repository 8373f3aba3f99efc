import { downloadOf } from "#lib/developers/downloads";

type RouteContext = { readonly params: Promise<{ readonly name: string }> };

/** A file that the guides say to download: the clients, and what their examples share. */
export async function GET(_: Request, { params }: RouteContext): Promise<Response> {
  const download = downloadOf((await params).name);
  if (!download) return new Response("Not found\n", { status: 404, headers: { "content-type": "text/plain" } });
  return new Response(new Uint8Array(download.body), { headers: { "content-type": download.type } });
}
