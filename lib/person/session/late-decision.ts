import "server-only";
import { cookies } from "next/headers";
import { nowMs } from "#lib/platform/now";
import { cookieAttributes, cookieNamed } from "./cookie-name.ts";

/** Which decision a browser made last, and until when its pages mention it. It names ids and an instant, no patient. */
export type LatePlace = { readonly taskId: string; readonly gateId: string; readonly untilMs: number };

const name = () => cookieNamed("decided");

export async function noteLateDecision({ taskId, gateId, untilMs }: LatePlace): Promise<void> {
  const maxAge = Math.max(1, Math.ceil((untilMs - nowMs()) / 1000));
  (await cookies()).set(name(), [taskId, gateId, untilMs].join("~"), { ...cookieAttributes(), maxAge });
}

/** What the cookie says, which its sender may have written: whoever uses it asks the database. */
export async function lateDecisionPlace(): Promise<LatePlace | undefined> {
  const [taskId, gateId, until] = (await cookies()).get(name())?.value.split("~") ?? [];
  const untilMs = Number(until);
  if (taskId === undefined || gateId === undefined || !(untilMs > nowMs())) return undefined;
  return { taskId, gateId, untilMs };
}

export async function forgetLateDecision(): Promise<void> {
  (await cookies()).set(name(), "", { ...cookieAttributes(), maxAge: 0 });
}
