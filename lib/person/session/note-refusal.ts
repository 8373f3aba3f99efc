import "server-only";
import { headers } from "next/headers";
import type { PersonActor } from "#lib/access/model/actor";
import { createLog } from "#lib/platform/log";
import { arrivalPlace } from "#lib/platform/http/arrival-headers";

let made: ReturnType<typeof createLog> | undefined;

/** Logs that a form was refused (OWASP ASVS 5.0, 16.3.3): the page, the person and the rule, never the content. */
export async function noteRefusal(rule: string, person?: Pick<PersonActor, "id">): Promise<void> {
  const place = arrivalPlace(await headers());
  made ??= createLog("server");
  made.info({ place, person: person?.id, rule }, "a form was refused");
}
