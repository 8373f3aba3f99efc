import "server-only";
import { headers } from "next/headers";
import type { PersonActor } from "#lib/access/model/actor";
import { createLog } from "#lib/platform/log";
import { placeOf } from "#lib/platform/http/place";

let made: ReturnType<typeof createLog> | undefined;

/**
 * A line in the log for a form that was refused (OWASP ASVS 5.0, 16.3.3): where, whose and by which rule; never what
 * it held. Where is said by `server.ts`.
 */
export async function noteRefusal(rule: string, person?: Pick<PersonActor, "id">): Promise<void> {
  const place = (await headers()).get("x-place");
  made ??= createLog("server");
  made.info({ place: place === null ? undefined : placeOf(place), person: person?.id, rule }, "a form was refused");
}
