import { sentenceCase } from "#components/text/sentence-case";
import { ActBoxes, ActButtons, ActForm } from "#components/form/act-form";
import { SeenFields } from "#components/form/seen-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { warningTypes } from "#lib/gate/model/checks";
import { checkBrief } from "#lib/messages/reviewer/checks";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { warningsText } from "#lib/practice/set-noted-warnings";
import { setWarnings } from "../actions.ts";

type Of = { readonly practice: Pick<PracticeRecord, "id" | "notedWarnings"> };

/** Over which warnings a reviewer says why; the others are only shown. */
export function WarningRules({ practice: { id, notedWarnings } }: Of) {
  return (
    <Panel title="Override reasons" anchor="override-reasons" folds>
      <ActForm act={setWarnings}>
        <input type="hidden" name="practiceId" value={id} />
        <p className="text-ink-soft">
          To release a request with a selected warning, a reviewer gives a reason. The other warnings are only shown.
        </p>
        <SeenFields seen={warningsText(notedWarnings)}>
          <div className="grid gap-x-8 sm:grid-cols-2">
            <ActBoxes
              name="reasoned"
              list={warningTypes.map((value) => ({ value, label: sentenceCase(checkBrief(value)) }))}
              ticked={warningTypes.filter((type) => !notedWarnings.includes(type))}
            />
          </div>
        </SeenFields>
        <ActButtons>
          <SubmitButton tone="primary">Save override reasons</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}
