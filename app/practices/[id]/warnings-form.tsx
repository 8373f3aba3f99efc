import { ActBoxes, ActForm } from "#components/form/act-form";
import { checkBrief } from "#lib/messages/reviewer/checks";
import { SubmitButton } from "#components/form/submit-button";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { warningTypes } from "#lib/gate/model/checks";
import { setWarnings } from "./actions.ts";

type Of = { readonly practice: Pick<PracticeRecord, "id" | "notedWarnings"> };

/** Over which warnings a reviewer says why; the others are only noted. */
export function WarningsForm({ practice: { id, notedWarnings } }: Of) {
  return (
    <ActForm act={setWarnings}>
      <input type="hidden" name="practiceId" value={id} />
      <p className="text-ink-soft">
        Over a ticked warning a reviewer says why before they release. The others are shown and nothing is asked.
      </p>
      <div className="grid gap-x-8 sm:grid-cols-2">
        <ActBoxes
          name="reasoned"
          list={warningTypes.map((value) => ({ value, label: sentence(checkBrief(value)) }))}
          ticked={warningTypes.filter((type) => !notedWarnings.includes(type))}
        />
      </div>
      <div>
        <SubmitButton>Save warnings</SubmitButton>
      </div>
    </ActForm>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
