import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { SeenFields } from "#components/form/seen-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { settingsText } from "#lib/practice/change-practice-settings";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveTiming } from "../actions.ts";

/** How long a release can be undone and stays valid, and how soon somebody here is to act. */
export function Timing({ practice }: { readonly practice: PracticeRecord }) {
  return (
    <Panel title="Timing" anchor="timing" folds>
      <ActForm act={saveTiming}>
        <input type="hidden" name="practiceId" value={practice.id} />
        <SeenFields
          seen={settingsText(practice, ["recallWindowS", "gateExpiryDays", "urgentTargetH", "standardTargetH"])}
        >
          <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
            <ActText
              label="Undo window (seconds)"
              name="recallWindowS"
              type="number"
              min={0}
              max={3600}
              required
              defaultValue={practice.recallWindowS}
              hint="How long a reviewer can undo a release."
            />
            <ActText
              label="Requests expire after (days)"
              name="gateExpiryDays"
              type="number"
              min={1}
              max={365}
              required
              defaultValue={practice.gateExpiryDays}
              hint="A request that isn't released by then goes back to the agent."
            />
            <ActText
              label="Target for urgent requests (hours)"
              name="urgentTargetH"
              type="number"
              min={1}
              max={720}
              required
              defaultValue={practice.urgentTargetH}
              hint="The queue is sorted by the time left."
            />
            <ActText
              label="Target for standard requests (hours)"
              name="standardTargetH"
              type="number"
              min={1}
              max={720}
              required
              defaultValue={practice.standardTargetH}
            />
          </div>
        </SeenFields>
        <p className="text-sm text-ink-soft">Applies to requests that arrive from now on.</p>
        <ActButtons>
          <SubmitButton tone="primary">Save timing</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}
