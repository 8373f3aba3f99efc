import { ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import type { ListedPayer } from "#lib/practice/directory/show-directory";
import { dropPayer } from "../payers/actions.ts";

type Props = { readonly practiceId: string; readonly payer: ListedPayer };

export function RemoveForm({ practiceId, payer }: Props) {
  return (
    <ActForm act={dropPayer}>
      <input type="hidden" name="practiceId" value={practiceId} />
      <input type="hidden" name="payerId" value={payer.payerId} />
      <p className="text-ink-soft">
        The payer leaves the directory with its {payer.rules.length > 0 ? "connection rules" : "details"}. Its payer
        connection and its cases stay.
      </p>
      <div>
        <SubmitButton>Remove from directory</SubmitButton>
      </div>
    </ActForm>
  );
}
