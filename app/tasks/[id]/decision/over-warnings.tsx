"use client";

import { useDecision } from "./decision.tsx";
import { DraftArea } from "./draft-area.tsx";

/** Which warnings this page shows, and the reason to release over those that ask for one. Stands in the release's form. */
export function OverWarnings() {
  const { warnings } = useDecision().shown;
  if (warnings.length === 0) return null;
  return (
    <>
      <input type="hidden" name="shown" value={warnings.map(({ key }) => key).join(" ")} />
      <DraftArea
        intent="release"
        label={warnings.length === 1 ? "Override reason (1 warning)" : `Override reason (${warnings.length} warnings)`}
        name="why"
        hint={`Warnings: ${[...new Set(warnings.map(({ brief }) => brief))].join(", ")}. Shared with reviewers of the practice, not with the agent.`}
        required
      />
    </>
  );
}
