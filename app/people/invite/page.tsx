import { redirect } from "next/navigation";
import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { RolesFields } from "#components/form/roles-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { contextOf, requirePerson, upcomingProof } from "#lib/person/session/person";
import { invitationLead } from "#lib/messages/admin/person";
import { env } from "#lib/platform/env";
import { listPractices } from "#lib/practice/list-practices";
import { invite } from "../actions.ts";

type Props = {
  readonly searchParams: Promise<{ readonly practice?: string | string[]; readonly role?: string | string[] }>;
};

/** Invites a person. The address may have a practice and a role ticked ahead, where another page led here. */
export default async function InvitePage({ searchParams }: Props) {
  const person = await requirePerson("/people/invite");
  const practices = await listPractices(contextOf(person));
  if (!practices.ok) redirect("/not-found");
  const { practice, role = "reviewer" } = await searchParams;
  const ticked = practices.value.some(({ id }) => id === practice) ? [`${String(role)} ${String(practice)}`] : [];
  return (
    <Shell person={person} current="people" title="Invite person">
      <BackLink href="/people">People</BackLink>
      <PageHeader title="Invite person" lead={invitationLead(env().SMTP_URL !== undefined)} />
      <Panel title="Invitation" className="max-w-3xl">
        <ActForm act={invite} asks={await upcomingProof()}>
          <div className="max-w-sm">
            <ActText label="Email" name="email" type="email" required maxLength={254} autoComplete="off" />
          </div>
          <RolesFields practices={practices.value} isOverall={person.administers === "every"} ticked={ticked} />
          <ActButtons>
            <SubmitButton tone="primary">Send invitation</SubmitButton>
          </ActButtons>
        </ActForm>
      </Panel>
    </Shell>
  );
}
