import "server-only";
import { cookies } from "next/headers";
import { nowMs } from "#lib/platform/now";
import { cookieAttributes, cookieNamed } from "./cookie-name.ts";

/** Which decision of a case at which gate. */
export type DecisionPlace = { readonly taskId: string; readonly gateId: string };

/** The decisions that a browser made last, and until when its pages mention them: ids and an instant, no patient. */
export type LateDecisions = { readonly places: readonly DecisionPlace[]; readonly untilMs: number };

const name = () => cookieNamed("decided");

/** The hyphens of the ids are left out: the decisions of a whole list fit into one cookie. */
export async function noteLateDecisions({ places, untilMs }: LateDecisions): Promise<void> {
  const maxAge = Math.max(1, Math.ceil((untilMs - nowMs()) / 1000));
  const ids = places.flatMap(({ taskId, gateId }) => [taskId, gateId]).map((id) => id.replaceAll("-", ""));
  (await cookies()).set(name(), [untilMs, ...ids].join("~"), { ...cookieAttributes(), maxAge });
}

/** What the cookie says, which its sender may have written: whoever uses it asks the database. */
export async function lateDecisions(): Promise<LateDecisions | undefined> {
  const [until, ...ids] = (await cookies()).get(name())?.value.split("~") ?? [];
  const untilMs = Number(until);
  if (!(untilMs > nowMs())) return undefined;
  const places = ids.flatMap((taskId, index) => {
    const gateId = ids[index + 1];
    return index % 2 === 0 && gateId !== undefined ? [{ taskId: asUuid(taskId), gateId: asUuid(gateId) }] : [];
  });
  return places.length === 0 ? undefined : { places, untilMs };
}

export async function forgetLateDecisions(): Promise<void> {
  (await cookies()).set(name(), "", { ...cookieAttributes(), maxAge: 0 });
}

function asUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
