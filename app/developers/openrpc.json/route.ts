import { connection } from "next/server";
import { openRpc } from "#lib/developers/openrpc";
import { env } from "#lib/platform/env";

/** The three methods as an OpenRPC document. */
export async function GET(): Promise<Response> {
  await connection();
  return Response.json(openRpc(env().PUBLIC_URL));
}
