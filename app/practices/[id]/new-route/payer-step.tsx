import { ActCode } from "#components/form/act-code";
import { ActButtons, ActForm, ActSelect, ActText } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { connectionChoices } from "#lib/messages/connector-text";
import { lineOptions } from "#lib/messages/admin/practice";
import { isDemoPayer } from "#lib/practice/model/demo-payers";
import { practicePath } from "../paths.ts";
import { beginConnection } from "./actions.ts";

const environments = [
  { value: "", text: "Same as the practice" },
  { value: "live", text: "Live" },
  { value: "test", text: "Test" },
];

type PayerValues = {
  readonly payerId?: string | undefined;
  readonly payerName?: string | undefined;
  readonly lineOfBusiness?: string | undefined;
  readonly environment?: "live" | "test" | undefined;
  readonly connector?: string | undefined;
};

type Props = {
  readonly practiceId: string;
  readonly draftId?: string | undefined;
  /** What is known of the payer so far. */
  readonly known?: PayerValues | undefined;
  /** The payer is that of a connection there is, and cannot be another. */
  readonly isFixed: boolean;
  /** The practice's payer directory, to choose from. */
  readonly directory?: readonly { readonly payerId: string; readonly name: string }[] | undefined;
};

/** The first step: which payer, and how it is reached. */
export function PayerStep({ practiceId, draftId, known = {}, isFixed, directory = [] }: Props) {
  return (
    <Panel title="Payer and connection type">
      <ActForm act={beginConnection}>
        <input type="hidden" name="practiceId" value={practiceId} />
        {draftId !== undefined && <input type="hidden" name="draftId" value={draftId} />}
        <PayerFields known={known} isFixed={isFixed} directory={directory} />
        <datalist id="directory">
          {directory.map(({ payerId, name }) => (
            <option key={payerId} value={payerId}>
              {isDemoPayer(payerId) ? `${name} (demo)` : name}
            </option>
          ))}
        </datalist>
        <ActButtons>
          <SubmitButton tone="primary">Continue</SubmitButton>
          <ButtonLink href={practicePath(practiceId, "connections")} tone="quiet">
            Cancel
          </ButtonLink>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}

function PayerFields({ known = {}, isFixed, directory = [] }: Omit<Props, "practiceId" | "draftId">) {
  return (
    <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
      <ActCode
        label="Payer ID"
        name="payerId"
        required
        readOnly={isFixed}
        maxLength={64}
        list="directory"
        defaultValue={known.payerId ?? ""}
        hint={
          isFixed
            ? "This connection's payer."
            : directory.length > 0
              ? "Choose from the payer directory, or enter the ID that agents use."
              : "As agents name the payer in their requests."
        }
      />
      <ActText
        label="Payer name"
        name="payerName"
        maxLength={100}
        autoComplete="off"
        defaultValue={known.payerName ?? ""}
      />
      <ActSelect
        label="Line of business"
        name="lineOfBusiness"
        options={lineOptions}
        defaultValue={known.lineOfBusiness ?? "unknown"}
        hint="Decides the payer's legal deadline."
      />
      <ActSelect label="Environment" name="environment" options={environments} defaultValue={known.environment ?? ""} />
      <div className="sm:col-span-2">
        <ActSelect
          label="Connection type"
          name="connector"
          options={connectionChoices}
          defaultValue={known.connector ?? "manual"}
        />
      </div>
    </div>
  );
}
