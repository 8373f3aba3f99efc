import { publishedSchema } from "#lib/developers/schemas";
import { env } from "#lib/platform/env";

type RouteContext = { readonly params: Promise<{ readonly name: string }> };

/** A JSON Schema by its stable address, `/developers/schemas/<name>.json`. */
export async function GET(_: Request, { params }: RouteContext): Promise<Response> {
  const { name } = await params;
  const schema = name.endsWith(".json") ? publishedSchema(name.slice(0, -".json".length), env().PUBLIC_URL) : undefined;
  return schema ? Response.json(schema) : Response.json({ error: "not found" }, { status: 404 });
}
