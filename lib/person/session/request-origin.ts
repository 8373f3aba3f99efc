import "server-only";
import { headers } from "next/headers";
import { arrivalAddress } from "#lib/platform/http/arrival-headers";
import type { ComesFrom } from "#lib/person/store/people";
import { deviceOfCookie } from "#lib/person/sign-in/device-cookie";

/** The origin of this request. Its address is unknown unless this process noted it as the request arrived. */
export async function requestOrigin(): Promise<ComesFrom> {
  const requestHeaders = await headers();
  const userAgent = requestHeaders.get("user-agent") ?? undefined;
  return { address: arrivalAddress(requestHeaders), userAgent, device: await deviceOfCookie() };
}
