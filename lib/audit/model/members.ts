/**
 * The members of an entry's detail. Undefined where it is no JSON object: the service writes no such detail, so the
 * entry was tampered with. Verification reports that entry; reading goes on with the others.
 */
export function membersOf(detail: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const members: unknown = JSON.parse(detail);
    return typeof members === "object" && members !== null ? { ...members } : undefined;
  } catch {
    return undefined;
  }
}
