import { requirableFieldLabels } from "#lib/messages/labels/required-fields";
import { ActCode } from "#components/form/act-code";
import { ActBoxes, ActForm, ActSelect, ActText, ActTextArea } from "#components/form/act-form";
import { FieldGroup } from "#components/form/choice-fields";
import { SubmitButton } from "#components/form/submit-button";
import { supportText } from "#lib/messages/admin/payers";
import { connectorText } from "#lib/messages/connector-text";
import type { ListedPayer } from "#lib/practice/directory/show-directory";
import { savePayer } from "./actions.ts";

type Props = { readonly practiceId: string; readonly payer?: ListedPayer | undefined };

const connectors = [
  { value: "", text: "Not known" },
  ...(["manual", "pas-fhir", "service-review"] as const).map((value) => ({ value, text: connectorText(value) })),
];

const supports = ["updates", "files", "voids", "subscriptions"] as const;

/** A payer of the directory, new or with everything as it is now. */
export function PayerForm({ practiceId, payer }: Props) {
  return (
    <ActForm act={savePayer}>
      <input type="hidden" name="practiceId" value={practiceId} />
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        {payer ? (
          <input type="hidden" name="payerId" value={payer.payerId} />
        ) : (
          <ActCode label="Payer ID" name="payerId" required maxLength={64} hint="As requests name it." />
        )}
        <ActText
          label="Payer name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          defaultValue={payer?.name ?? ""}
        />
        <ActSelect
          label="Connection type"
          name="connector"
          options={connectors}
          defaultValue={payer?.connector ?? ""}
          hint="A new payer connection starts with it. Manual submission needs no connection."
        />
        <ActTextArea
          label="Other names and IDs"
          name="aliases"
          rows={3}
          autoComplete="off"
          defaultValue={payer?.aliases.join("\n") ?? ""}
          hint="One per line. An agent that uses one is told the payer ID."
        />
      </div>
      <FieldGroup legend="Accepted over the connection">
        <div className="flex flex-wrap gap-x-6">
          <ActBoxes
            name="supports"
            list={supports.map((value) => ({ value, label: supportText(value) }))}
            ticked={payer?.supports ?? supports}
          />
        </div>
      </FieldGroup>
      <p className="-mt-2 text-sm text-ink-faint">
        Clear what the payer doesn&rsquo;t accept electronically. Updates and voids are then submitted manually, and
        files are left out of a first request.
      </p>
      <Required payer={payer} />
      <div>
        <SubmitButton tone="primary">{payer ? "Save payer" : "Add payer"}</SubmitButton>
      </div>
    </ActForm>
  );
}

function Required({ payer }: Pick<Props, "payer">) {
  return (
    <details open={(payer?.requiredFields.length ?? 0) > 0}>
      <summary className="font-semibold">Required fields</summary>
      <p className="my-2 text-ink-soft">
        In addition to what the connection requires. A request that lacks one goes back to the agent.
      </p>
      <FieldGroup legend="Required">
        <div className="grid gap-x-8 sm:grid-cols-2">
          <ActBoxes
            name="requiredFields"
            list={Object.entries(requirableFieldLabels).map(([value, label]) => ({ value, label: capital(label) }))}
            ticked={payer?.requiredFields ?? []}
          />
        </div>
      </FieldGroup>
    </details>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
