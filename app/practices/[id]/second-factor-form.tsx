import { ActBoxes, ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveSecondFactor } from "./second-factor-actions.ts";

type Of = { readonly practice: Pick<PracticeRecord, "id" | "reviewersSecondFactor"> };

/** Whether reviewers need more than a password. */
export function SecondFactorForm({ practice: { id, reviewersSecondFactor } }: Of) {
  return (
    <ActForm act={saveSecondFactor}>
      <input type="hidden" name="practiceId" value={id} />
      <ActBoxes
        name="required"
        ticked={reviewersSecondFactor ? ["yes"] : []}
        list={[
          {
            value: "yes",
            label: "Reviewers need a second factor",
            hint: "A passkey or an authenticator app. Who has none is asked for it at the next page, and does nothing until then.",
          },
        ]}
      />
      <div>
        <SubmitButton>Save second factor</SubmitButton>
      </div>
    </ActForm>
  );
}
