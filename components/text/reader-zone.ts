import { cookies } from "next/headers";

/** To look a zone up takes a third of a millisecond, and every reader is in one of a few. */
const known = new Map<string, string>();
const knownMax = 1000;

/** The reader's IANA time zone as their browser told us, else UTC. */
export async function readerZone(): Promise<string> {
  const name = (await cookies()).get("zone")?.value ?? "UTC";
  const zone = known.get(name) ?? zoneOf(name);
  if (known.size >= knownMax) known.clear();
  known.set(name, zone);
  return zone;
}

function zoneOf(name: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
