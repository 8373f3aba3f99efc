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
        label={warnings.length === 1 ? "Why you release over the warning" : "Why you release over the warnings"}
        name="why"
        hint={`Over: ${[...new Set(warnings.map(({ brief }) => brief))].join(", ")}. Reviewers of the practice read it; the agent does not.`}
        required
      />
    </>
  );
}
