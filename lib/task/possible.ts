import { gateOf, type Task } from "#lib/task/model/task";
import type { Possible } from "./views.ts";

/** What a reviewer may do with a task as it stands; each verb decides again when it is done. */
export function possibleOn(task: Task): readonly Possible[] {
  return [...atGate(task), ...underWay(task), ...ofPayer(task)];
}

function atGate({ motion, attention, payer }: Task): readonly Possible[] {
  if (motion.kind !== "held" || payer.voided) return [];
  const release = attention === "channel-revoked" ? "adopt" : "release";
  return motion.gate.action === "transmit" ? [release, "decline", "send-back"] : [release, "decline"];
}

function underWay({ motion, payer }: Task): readonly Possible[] {
  if (payer.voided) return [];
  switch (motion.kind) {
    case "released":
      return motion.gate.byHand ? ["recall", "begin-sending"] : ["recall"];
    case "sending":
      return motion.gate.byHand ? ["report-sent", "report-refused", "report-not-sent"] : [];
    case "unconfirmed":
      return ["settle"];
    case "idle":
    case "held":
    case "ended":
      return [];
  }
}

function ofPayer(task: Task): readonly Possible[] {
  const { motion, payer, attention } = task;
  const over = motion.kind === "ended" || payer.voided !== undefined;
  const has = payer.holds === "yes" && !over && !(gateOf(task) && motion.kind === "sending");
  const answers: Possible[] = has ? ["record-determination", "record-voided"] : [];
  const wants: Possible[] = has && !payer.determination ? ["record-wants"] : [];
  const voiding: Possible[] = has && payer.voidPending ? ["record-void-refused"] : [];
  const raised: Possible[] = attention && attention !== "channel-revoked" ? ["attend"] : [];
  return [...answers, ...wants, ...voiding, ...raised];
}
