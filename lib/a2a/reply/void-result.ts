import { stateOf, type State } from "#lib/task/model/task";
import type { TaskRecord } from "#lib/task/views";

/** What became of a void; instants in RFC 3339. */
export type VoidResult = {
  readonly result: "done" | "pending" | "refused" | "declined" | "expired";
  /** Of one that is done: whether the practice asked for it. */
  readonly by?: "practice" | "payer" | undefined;
  /** When it was done, refused, declined or expired. */
  readonly at?: string | undefined;
  readonly payerReference?: string | undefined;
  readonly reason?: string | undefined;
};

const underWay: readonly State[] = ["void-held", "void-released", "voiding", "void-unconfirmed"];

/** The last void of a task; undefined where none was asked for and the payer did none by itself. */
export function voidResult({ task, gate, sendings, voidedAt }: TaskRecord): VoidResult | undefined {
  const { voided } = task.payer;
  const sent = sendings.find(({ action }) => action === "void");
  if (voided) {
    const by = voided === "by-us" ? "practice" : "payer";
    return { result: "done", by, at: voidedAt?.toISOString(), payerReference: sent?.reference };
  }
  if (underWay.includes(stateOf(task))) return { result: "pending", payerReference: sent?.reference };
  if (gate?.action === "void" && (gate.status === "declined" || gate.status === "expired")) {
    return { result: gate.status, at: gate.decidedAt?.toISOString(), reason: gate.reason };
  }
  if (sent?.result !== "refused") return undefined;
  const { answeredAt, reference, reason } = sent;
  return { result: "refused", at: answeredAt?.toISOString(), payerReference: reference, reason };
}
