import { ActForm, ActText } from "#components/act-form";
import { EnvironmentField } from "#components/environment-field";
import { SubmitButton } from "#components/submit-button";
import type { PracticeRecord } from "#lib/admin/list-practices";
import { rename, resume, setSettings, suspend } from "./actions.ts";

type Of = { readonly practice: PracticeRecord };

export function SettingsForm({ practice }: Of) {
  return (
    <ActForm act={setSettings}>
      <input type="hidden" name="practiceId" value={practice.id} />
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        <ActText
          label="Recall window, seconds"
          name="recallWindowS"
          type="number"
          min={0}
          max={3600}
          required
          defaultValue={practice.recallWindowS}
          hint="How long after a release a reviewer can still stop it."
        />
        <ActText
          label="Gates expire after, days"
          name="gateExpiryDays"
          type="number"
          min={1}
          max={365}
          required
          defaultValue={practice.gateExpiryDays}
          hint="A gate nobody answers closes then, and the case goes back to the agent."
        />
        <EnvironmentField
          defaultValue={practice.environment}
          hint="For payers without a route of their own; a route says its own."
        />
      </div>
      <div>
        <SubmitButton>Save settings</SubmitButton>
      </div>
    </ActForm>
  );
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
    <ActForm act={active ? suspend : resume}>
      <input type="hidden" name="practiceId" value={practice.id} />
      <p className="text-ink-soft">
        {active
          ? "Stops everything that leaves: no channel reaches the practice, and what was released is held again. What payers answer is still recorded."
          : "Channels reach it again. What was held while it was suspended needs a new release."}
      </p>
      <div>
        <SubmitButton tone={active ? "danger" : "plain"}>{active ? "Suspend" : "Resume"}</SubmitButton>
      </div>
    </ActForm>
  );
}
