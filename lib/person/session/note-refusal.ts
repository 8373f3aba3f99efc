import "server-only";
import { headers } from "next/headers";
import type { PersonActor } from "#lib/access/model/actor";
import { createLog } from "#lib/platform/log";
import { arrivalPlace } from "#lib/platform/http/arrival-headers";
import { onePerProcess } from "#lib/platform/process/one-per-process";

/** Logs that a form was refused (OWASP ASVS 5.0, 16.3.3): the page, the person and the rule, never the content. */
export async function noteRefusal(rule: string, person?: Pick<PersonActor, "id">): Promise<void> {
  const place = arrivalPlace(await headers());
  onePerProcess("page-log", () => createLog("server")).info({ place, person: person?.id, rule }, "a form was refused");
}
