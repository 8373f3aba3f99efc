import { vi } from "vitest";
import type { Context } from "#lib/access/context";
import type { Store } from "#lib/db/db";
import { setAutoReview } from "#lib/practice/set-auto-review";
import { sendMessage } from "#lib/task/send-message";
import { done } from "../people/admin.ts";
import { aChannel, anIntake, aPractice, aRoute, fullReview } from "./cases.ts";

/** The sandbox payer of tests that send nothing; no port of a machine answers here. */
export const nowhere = "http://127.0.0.1:9";

/** Lets this process release automatically to the payer at this origin; to none where it is empty. */
export function withSandboxPayer(origin = nowhere): void {
  vi.stubEnv("SANDBOX_PAYERS", origin);
}

/** Turns automatic review on, where this process has a sandbox payer. */
export function turnOnAutoReview(ctx: Context, { practiceId }: { readonly practiceId: string }) {
  withSandboxPayer();
  return setAutoReview(ctx, { practiceId, on: true });
}

type SandboxOptions = { readonly url?: string; readonly environment?: "live" | "test"; readonly memberId?: string };

/** A task at its gate in a practice with automatic review, whose payer is the sandbox payer of this process. */
export async function aSandboxTask(
  store: Store,
  { url = `${nowhere}/fhir`, environment = "test", memberId }: SandboxOptions = {},
) {
  withSandboxPayer(new URL(url).origin);
  const practiceId = await aPractice(store);
  await store.prisma.practice.update({ where: { id: practiceId }, data: { autoReview: true } });
  await aRoute(store, { practiceId, url, environment, credential: "right", settings: { version: "2.2.1" } });
  const channel = await aChannel(store, { practices: [practiceId] });
  const review =
    memberId === undefined ? fullReview : { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
  const { id: taskId, gate } = await done(sendMessage(channel, anIntake({ practiceId, review })));
  if (!gate) throw new Error("The task stands at no gate.");
  return { practiceId, channel, taskId, gateId: gate.id };
}
