import { cookies } from "next/headers";
import { cache } from "react";

/** The reader's IANA time zone as their browser told us, else UTC. */
export const readerZone = cache(async (): Promise<string> => {
  const zone = (await cookies()).get("zone")?.value ?? "UTC";
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
});
