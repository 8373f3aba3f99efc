import { nearHours } from "#lib/queue/model/snooze";
import { expiringHours } from "#lib/queue/model/queue";
import { approvalEnd } from "#lib/task/model/approval-end";
import type { AtRiskView } from "#lib/queue/at-risk";

type RiskText = {
  /** After the number of requests. */
  readonly name: string;
  /** What the number means, where the name says too little. */
  readonly note?: string | undefined;
  /** Set where a number above zero means that somebody is late or may lose something. */
  readonly tone?: "bad" | "warn" | undefined;
};

/** What each number of the home page counts. */
export const atRiskTexts: Readonly<Record<AtRiskView, RiskText>> = {
  "past-target": { name: "Past target", tone: "bad" },
  "near-target": { name: `Due within ${nearHours} hours`, tone: "warn" },
  "payer-late": { name: "Payer decision overdue", note: "Past the payer's legal deadline", tone: "bad" },
  person: { name: "Action required", note: "The service can't go on without you", tone: "warn" },
  "payer-wants": { name: "Pended, not answered", note: "The payer requested information", tone: "warn" },
  expiring: { name: `Awaiting release, expires within ${expiringHours} hours`, tone: "warn" },
  ending: {
    name: "Approvals about to end",
    note: `Within ${approvalEnd.days} days or nearly used up; no renewal requested`,
  },
  denied: {
    name: "Adverse determinations to act on",
    note: "Denied, partially approved or approved with changes. Contest or accept them before the payer's deadline",
    tone: "warn",
  },
};

export const failedText = (count: number): string => (count === 1 ? "failed submission" : "failed submissions");
