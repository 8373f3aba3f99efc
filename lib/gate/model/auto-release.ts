import type { Environment } from "#lib/task/model/environment";
import { autoReleaseObstacles } from "#lib/messages/reasons/case";

/** Everything that an automatic release depends on, as it is at that moment. */
export type AutoReleaseFacts = {
  /** The setting of the practice. */
  readonly autoReview: boolean;
  readonly practiceEnvironment: Environment;
  /** Of what was frozen at the gate. */
  readonly gateEnvironment: Environment;
  readonly isManual: boolean;
  /** The case stood at a gate of a live payer connection before, so it is not test data. */
  readonly wasLive: boolean;
  /** Where the frozen calls go. */
  readonly urls: readonly string[];
  /** The origins of the payers of this machine that this deployment lets anything be released to automatically. */
  readonly sandboxPayers: readonly string[];
  /** How many reviewers the practice asks for. */
  readonly votesNeeded: number;
};

/**
 * Why an action must wait for a person; undefined if it may be released automatically. All of these must hold: the
 * deployment has a sandbox payer, the practice and the payer connection are for test data, and always were for this case,
 * the practice has turned automatic review on, and every call goes to a sandbox payer, which is on this machine.
 */
export function autoReleaseObstacle(facts: AutoReleaseFacts): string | undefined {
  if (facts.sandboxPayers.length === 0) return autoReleaseObstacles.noSandboxPayer;
  if (facts.practiceEnvironment !== "test") return autoReleaseObstacles.practiceLive;
  if (!facts.autoReview) return autoReleaseObstacles.practiceReviews;
  if (facts.gateEnvironment !== "test") return autoReleaseObstacles.connectionLive;
  if (facts.wasLive) return autoReleaseObstacles.caseWasLive;
  if (facts.isManual) return autoReleaseObstacles.manual;
  if (facts.votesNeeded > 1) return autoReleaseObstacles.severalReviewers;
  if (facts.urls.length === 0) return autoReleaseObstacles.noPayer;
  if (!facts.urls.every((url) => facts.sandboxPayers.includes(originOf(url))))
    return autoReleaseObstacles.notSandboxPayer;
  return undefined;
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "none";
}
