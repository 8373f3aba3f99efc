import { ActButtons, ActForm, ActSelect, ActText } from "#components/form/act-form";
import { EnvironmentField } from "#components/form/environment-field";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { Time } from "#components/text/time";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveIdentity } from "./actions.ts";

const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
  "Pacific/Guam",
];

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
        <div className="grid items-start gap-x-8 gap-y-4 sm:grid-cols-2">
          <ActText label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={practice.name} />
          <ActSelect
            label="Time zone"
            name="timeZone"
            options={zoneOptions(practice.timeZone)}
            defaultValue={practice.timeZone}
            hint="Deadlines and quiet hours are counted in it."
          />
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
            hint="For payers without a payer connection. Each connection has its own."
          />
        </div>
        <ActButtons>
          <SubmitButton tone="primary">Save identity</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}

/** The zones of the states and of the larger territories, and the practice's own. */
function zoneOptions(own: string) {
  const all = zones.includes(own) ? zones : [own, ...zones];
  return all.map((zone) => ({ value: zone, text: zone.replaceAll("_", " ") }));
}
