"use client";

import { formIdOf, useDecision } from "./decision.tsx";
import { DraftArea } from "./draft-area.tsx";

/** The reason to release over the warnings that ask for one. It stands with them and belongs to the release's form. */
export function OverWarnings() {
  const { warnings } = useDecision().shown;
  if (warnings.length === 0) return null;
  return (
    <>
      <input form={formIdOf("release")} type="hidden" name="shown" value={warnings.map(({ key }) => key).join(" ")} />
      <DraftArea
        form={formIdOf("release")}
        intent="release"
        label={warnings.length === 1 ? "Override reason" : `Override reason (${warnings.length} warnings)`}
        name="why"
        hint="Shared with reviewers of the practice, not with the agent."
        required
      />
    </>
  );
}
