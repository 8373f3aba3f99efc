import { lineOptions } from "#lib/messages/admin/practice";
import { ActButton } from "#components/form/act-button";
import { ActForm, ActSelect, ActText } from "#components/form/act-form";
import { EnvironmentField } from "#components/form/environment-field";
import { SubmitButton } from "#components/form/submit-button";
import type { PracticeRecord, RouteRecord } from "#lib/practice/list-practices";
import { rename, resume, saveTargets, setSettings, suspend } from "./actions.ts";
import { setLine } from "./route-actions.ts";

type Of = { readonly practice: PracticeRecord };

export function SettingsForm({ practice }: Of) {
  return (
    <ActForm act={setSettings}>
      <input type="hidden" name="practiceId" value={practice.id} />
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        <ActText
          label="Undo window (seconds)"
          name="recallWindowS"
          type="number"
          min={0}
          max={3600}
          required
          defaultValue={practice.recallWindowS}
          hint="How long after a release a reviewer can still stop it."
        />
        <ActText
          label="Releases expire after (days)"
          name="gateExpiryDays"
          type="number"
          min={1}
          max={365}
          required
          defaultValue={practice.gateExpiryDays}
          hint="A request that isn't released by then expires, and the case goes back to the agent."
        />
        <EnvironmentField
          defaultValue={practice.environment}
          hint="For payers without a route of their own; a route says its own."
        />
        <ActSelect
          label="Time zone"
          name="timeZone"
          options={zoneOptions(practice.timeZone)}
          defaultValue={practice.timeZone}
          hint="A payer's calendar days are counted in it."
        />
        <Identifiers practice={practice} />
      </div>
      <div>
        <SubmitButton>Save settings</SubmitButton>
      </div>
    </ActForm>
  );
}

/** Who the organisation is to payers. */
function Identifiers({ practice }: Of) {
  return (
    <>
      <ActText
        label="NPI of the organisation"
        name="npi"
        maxLength={10}
        inputMode="numeric"
        autoComplete="off"
        className="font-mono"
        defaultValue={practice.npi ?? ""}
      />
      <ActText
        label="Tax id"
        name="taxId"
        maxLength={11}
        autoComplete="off"
        className="font-mono"
        defaultValue={practice.taxId ?? ""}
        hint="Nine digits."
      />
    </>
  );
}

/** How soon somebody here is to act; the queue is in that order. */
export function TargetsForm({ practice }: Of) {
  return (
    <ActForm act={saveTargets}>
      <input type="hidden" name="practiceId" value={practice.id} />
      <p className="text-ink-soft">
        The queue shows how much of it is left, and stands in that order. It holds for what comes from now on.
      </p>
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        <ActText
          label="Urgent, hours"
          name="urgentTargetH"
          type="number"
          min={1}
          max={720}
          required
          defaultValue={practice.urgentTargetH}
        />
        <ActText
          label="Standard, hours"
          name="standardTargetH"
          type="number"
          min={1}
          max={720}
          required
          defaultValue={practice.standardTargetH}
        />
      </div>
      <div>
        <SubmitButton>Save targets</SubmitButton>
      </div>
    </ActForm>
  );
}

/** Whose decision times bind a payer; no new version of its route. */
export function LineOfBusinessForm({ route }: { readonly route: RouteRecord }) {
  return (
    <ActForm act={setLine}>
      <input type="hidden" name="practiceId" value={route.practiceId} />
      <input type="hidden" name="payerId" value={route.payerId} />
      <p className="text-ink-soft">
        It says how long the payer may take by law. Clocks of open cases follow at once; no gate is superseded.
      </p>
      <div className="max-w-sm">
        <ActSelect
          label="Line of business"
          name="lineOfBusiness"
          options={lineOptions}
          defaultValue={route.lineOfBusiness ?? "unknown"}
        />
      </div>
      <div>
        <SubmitButton>Save line of business</SubmitButton>
      </div>
    </ActForm>
  );
}

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

/** The zones of the states and of the larger territories, and the practice's own. */
function zoneOptions(own: string) {
  const all = zones.includes(own) ? zones : [own, ...zones];
  return all.map((zone) => ({ value: zone, text: zone.replaceAll("_", " ") }));
}

export function RenameForm({ practice }: Of) {
  return (
    <ActForm act={rename} className="grid max-w-sm gap-3.5">
      <input type="hidden" name="practiceId" value={practice.id} />
      <ActText label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={practice.name} />
      <div>
        <SubmitButton>Rename</SubmitButton>
      </div>
    </ActForm>
  );
}

export function StatusForm({ practice }: Of) {
  const active = practice.status === "active";
  return (
    <ActButton
      act={active ? suspend : resume}
      about={{ practiceId: practice.id }}
      tone={active ? "danger" : "plain"}
      says={
        active
          ? "Stops everything that leaves: no channel reaches the practice, and what was released is held again. What payers answer is still recorded."
          : "Channels reach it again. What was held while it was suspended needs a new release."
      }
    >
      {active ? "Suspend" : "Resume"}
    </ActButton>
  );
}
