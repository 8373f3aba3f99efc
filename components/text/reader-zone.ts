import { cookies } from "next/headers";

/** To look a zone up takes a third of a millisecond, and every reader is in one of a few. */
const known = new Map<string, string>();
const knownMax = 1000;

/** The reader's IANA time zone as their browser told us, else UTC. */
export async function readerZone(): Promise<string> {
  const said = (await cookies()).get("zone")?.value ?? "UTC";
  const zone = known.get(said) ?? zoneOf(said);
  if (known.size >= knownMax) known.clear();
  known.set(said, zone);
  return zone;
}

function zoneOf(said: string): string {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: said }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
