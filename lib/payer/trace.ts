import { createHash } from "node:crypto";
import type { Action } from "#lib/task/model/task";

const letters = { transmit: "T", void: "V" } as const satisfies Record<Action, string>;

/**
 * The identifier of one action on one revision for the payer (X12 TRN02, at most 50 characters). It derives from nothing else,
 * so that every retry and every inquiry names the same request. After a refusal the same action is a new request, which a
 * payer must not take for the refused one, so the number of `refusals` is part of it.
 */
export function traceNumber(of: TraceOf): string {
  const again = of.refusals ? String(of.refusals + 1) : "";
  return `${of.taskId}-${of.revision}-${letters[of.action]}${again}`;
}

/** The values that a trace number derives from. */
export type TraceOf = {
  readonly taskId: string;
  readonly revision: number;
  readonly action: Action;
  readonly refusals?: number | undefined;
};

/** The task that a trace number of ours names; undefined for any other. */
export function taskOfTrace(trace: string): string | undefined {
  return ours.exec(trace)?.[1];
}

/** The action that a trace number of ours names; undefined for any other. */
export function actionOfTrace(trace: string): Action | undefined {
  const letter = ours.exec(trace)?.[2];
  return letter === undefined ? undefined : letter === letters.void ? "void" : "transmit";
}

const ours = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[1-9]\d{0,8}-([TV])\d{0,3}$/;

/** Our own namespace for names hashed into UUIDs. Changing it would rename every request that was already submitted. */
const namespace = Buffer.from("9a0c2f4e6b1d4c57a3e88f21d6075b4c", "hex");

/**
 * The UUID of a name: the same name always gives the same UUID. It has the form of version 4, which the test kit of the
 * PAS guide demands of every `fullUrl`; a version 5 UUID is refused there.
 */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name, "utf8").digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
