import "server-only";
import { isIP } from "node:net";
import { headers } from "next/headers";
import type { ComesFrom } from "#lib/person/store/people";
import { deviceOfCookie } from "#lib/person/sign-in/device-cookie";

/** Where this request comes from. `server.ts` says the address itself, over whatever the request said. */
export async function comesFrom(): Promise<ComesFrom> {
  const said = await headers();
  const address = said.get("x-client-address") ?? "";
  const userAgent = said.get("user-agent") ?? undefined;
  return { address: isIP(address) === 0 ? undefined : address, userAgent, device: await deviceOfCookie() };
}
