import type { Store } from "#lib/db/db";
import { setEmergencyAccess } from "#lib/practice/set-emergency-access";
import { openEmergencyAccess } from "#lib/task/emergency-access";
import { done, operator } from "../people/admin.ts";
import { aHeldTask, aPerson } from "./cases.ts";

/** A case, an administrator of its practice who doesn't review for it, and what they say to open it. */
export async function anEmergency(store: Store) {
  const held = await aHeldTask(store);
  const { practiceId, taskId } = held;
  await done(setEmergencyAccess({ actor: operator, store }, { practiceId, on: true }));
  const person = await aPerson(store, { practices: [practiceId], roles: ["admin"], name: "Morgan Reyes" });
  const admin = { ...person, actor: { ...person.actor, provedAt: new Date() } };
  const given = { practiceId, caseId: taskId.slice(-8), reason: "No reviewer answers, and surgery is at 7." };
  return { ...held, admin, given };
}

/** The same, opened. */
export async function anOpenedCase(store: Store) {
  const emergency = await anEmergency(store);
  return { ...emergency, ...(await done(openEmergencyAccess(emergency.admin, emergency.given))) };
}
