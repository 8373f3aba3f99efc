import { ActDialog } from "#components/form/act-dialog";
import type { ListedPayer } from "#lib/practice/directory/show-directory";
import { dropPayer } from "../payers/actions.ts";

type Props = { readonly practiceId: string; readonly payer: ListedPayer };

export function RemoveForm({ practiceId, payer }: Props) {
  return (
    <ActDialog
      act={dropPayer}
      about={{ practiceId, payerId: payer.payerId }}
      label="Remove from directory"
      tone="danger"
      title={`Remove ${payer.name}?`}
      confirm="Remove from directory"
      confirmTone="danger"
    >
      <p>
        The payer leaves the directory with its {payer.rules.length > 0 ? "connection rules" : "details"}. Its payer
        connection and its cases stay.
      </p>
    </ActDialog>
  );
}
