import { ActForm, ActSelect } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { unlistedOptions } from "#lib/messages/admin/payers";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveUnlisted } from "./actions.ts";

type Props = { readonly practice: Pick<PracticeRecord, "id" | "unlistedPayers">; readonly isEmpty: boolean };

/** What becomes of a request that names a payer which is neither listed nor connected. */
export function UnlistedForm({ practice: { id, unlistedPayers }, isEmpty }: Props) {
  return (
    <ActForm act={saveUnlisted}>
      <input type="hidden" name="practiceId" value={id} />
      <p className="text-ink-soft">
        What happens to a request that names a payer without an entry here and without a payer connection.
        {isEmpty ? " It takes effect with the first payer of the directory." : ""} Requests already accepted go on.
      </p>
      <div className="max-w-md">
        <ActSelect
          label="Requests to other payers"
          name="unlistedPayers"
          options={unlistedOptions}
          defaultValue={unlistedPayers}
        />
      </div>
      <div>
        <SubmitButton>Save</SubmitButton>
      </div>
    </ActForm>
  );
}
