import { redirect } from "next/navigation";
import { ActButtons, ActForm } from "#components/form/act-form";
import { RolesFields } from "#components/form/roles-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { upcomingProof } from "#lib/person/session/person";
import { listPractices } from "#lib/practice/list-practices";
import { setRoles } from "../actions.ts";
import { openPerson, PersonFrame } from "../person-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** What somebody may do and where: one table, one save. */
export default async function RolesPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPerson(id, "roles");
  const { ctx, viewer, person } = opened;
  const practices = await listPractices(ctx);
  if (!practices.ok) redirect("/not-found");
  const isSelf = person.id === viewer.id;
  const confirming = practices.value.filter(({ secondAdmin }) => secondAdmin).map(({ name }) => name);
  return (
    <PersonFrame opened={opened} tab="roles" done={(await searchParams).done}>
      <Panel title="Roles" className="max-w-3xl">
        <ActForm act={setRoles} asks={await upcomingProof()}>
          <input type="hidden" name="personId" value={person.id} />
          {isSelf && (
            <p className="text-ink-soft">You can give up a role of your own. Another admin assigns you new ones.</p>
          )}
          <RolesFields practices={practices.value} isOverall={viewer.administers === "every"} held={person.grants} />
          <p className="text-sm text-ink-soft">
            Roles take effect on the person&rsquo;s next request.
            {confirming.length > 0 &&
              ` The admin role of ${new Intl.ListFormat("en-US").format(confirming)} awaits a second admin.`}
          </p>
          <ActButtons>
            <SubmitButton tone="primary">Save roles</SubmitButton>
          </ActButtons>
        </ActForm>
      </Panel>
    </PersonFrame>
  );
}
