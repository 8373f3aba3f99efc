import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { SeenFields } from "#components/form/seen-fields";
import { EnvironmentField } from "#components/form/environment-field";
import { TimeZoneField } from "#components/form/time-zone-field";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { Time } from "#components/text/time";
import { settingsText } from "#lib/practice/change-practice-settings";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveIdentity } from "./actions.ts";

/** Who the practice is, to people here and to payers. */
export function Identity({ practice }: { readonly practice: PracticeRecord }) {
  return (
    <Panel
      title="Identity"
      aside={
        <>
          Created <Time at={practice.createdAt} as="day" />
        </>
      }
    >
      <ActForm act={saveIdentity}>
        <input type="hidden" name="practiceId" value={practice.id} />
        <SeenFields seen={settingsText(practice, ["name", "timeZone", "npi", "taxId", "environment"])}>
          <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
            <ActText
              label="Name"
              name="name"
              required
              maxLength={100}
              autoComplete="off"
              defaultValue={practice.name}
            />
            <TimeZoneField own={practice.timeZone} />
            <ActText
              label="Organization NPI"
              name="npi"
              maxLength={10}
              inputMode="numeric"
              autoComplete="off"
              className="font-mono"
              defaultValue={practice.npi ?? ""}
            />
            <ActText
              label="Tax ID"
              name="taxId"
              maxLength={11}
              autoComplete="off"
              className="font-mono"
              defaultValue={practice.taxId ?? ""}
              hint="Nine digits."
            />
            <EnvironmentField
              defaultValue={practice.environment}
              hint="For payers without a payer connection; each connection has its own. When it changes, open requests to them are prepared again, and live ones go to real payers."
            />
          </div>
        </SeenFields>
        <ActButtons>
          <SubmitButton tone="primary">Save identity</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}
