import { redirect } from "next/navigation";
import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { EnvironmentField } from "#components/form/environment-field";
import { likelyZone, TimeZoneField } from "#components/form/time-zone-field";
import { readerZone } from "#components/text/time";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { requirePerson } from "#lib/person/session/person";
import { makePractice } from "../actions.ts";

/** A new practice, for whoever administers every one. */
export default async function NewPracticePage() {
  const person = await requirePerson("/practices/new");
  if (person.administers !== "every") redirect("/not-found");
  return (
    <Shell person={person} current="practices" title="New practice">
      <BackLink href="/practices">Practices</BackLink>
      <PageHeader
        title="New practice"
        lead="Every case belongs to one practice, and so do its reviewers and payer connections."
      />
      <Panel title="Practice" className="max-w-xl">
        <ActForm act={makePractice}>
          <ActText label="Name" name="name" required maxLength={100} autoComplete="off" />
          <ActText
            label="Practice ID"
            name="id"
            required
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            hint="Agents use it to name the practice. Letters, digits, dots, hyphens and underscores. It can't be changed later."
          />
          <TimeZoneField own={likelyZone(await readerZone())} />
          <EnvironmentField defaultValue="test" hint="For payers without a payer connection." />
          <ActButtons>
            <SubmitButton tone="primary">Create practice</SubmitButton>
          </ActButtons>
        </ActForm>
      </Panel>
    </Shell>
  );
}
