/**
 * What an entry's detail says. Undefined where it is no JSON object, as each was written: then it was tampered with, which
 * verifying the record names; everything else is still to be read.
 */
export function membersOf(detail: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const members: unknown = JSON.parse(detail);
    return typeof members === "object" && members !== null ? { ...members } : undefined;
  } catch {
    return undefined;
  }
}
