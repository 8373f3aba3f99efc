import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { listPractices } from "#lib/practice/list-practices";
import { listGroups } from "#lib/person/map-group";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ssoIssuer, ssoLabel } from "#lib/person/sso/sso-settings";
import { GroupForm } from "./group-form.tsx";
import { GroupTable } from "./group-table.tsx";

type Props = { readonly searchParams: Promise<{ readonly done?: string | string[] }> };

const doneText: Readonly<Record<string, string>> = {
  given: "Given. Whoever is in the group has it from their next sign-in on.",
  taken: "Taken. Whoever had it by this group alone has it no longer.",
};

/** What groups of the single sign-on provider give whoever is in them. */
export default async function GroupsPage({ searchParams }: Props) {
  const { done } = await searchParams;
  const person = await requirePerson("/people/groups");
  const ctx = contextOf(person);
  const [groups, practices] = [await listGroups(ctx), await listPractices(ctx)];
  if (!groups.ok || !practices.ok) redirect("/not-found");
  const [label, issuer] = [ssoLabel(), ssoIssuer()];
  const names = new Map(practices.value.map(({ id, name }) => [id, name]));
  const text = typeof done === "string" && Object.hasOwn(doneText, done) ? doneText[done] : undefined;
  return (
    <Shell person={person} current="people" title="Groups">
      <BackLink href="/people">People</BackLink>
      <PageHeader
        title="Groups"
        lead={`Members of a group of ${label ?? "the single sign-on provider"} get its role at their next sign-in, and lose it at the first sign-in without the group. The role applies only while they're signed in with it. Roles that an admin gave stay.`}
      />
      {text !== undefined && (
        <Notice tone="good" role="status" className="mb-5">
          {text}
        </Notice>
      )}
      <GroupTable list={groups.value} names={names} issuer={issuer} />
      <div className="mt-8 max-w-2xl">
        <Section title="Give a group a role" aside="You get no role from it yourself">
          {issuer === undefined ? (
            <p className="text-ink-soft">No single sign-on provider is set; an operator sets one.</p>
          ) : (
            <GroupForm issuer={issuer} practices={practices.value} isOverall={person.administers === "every"} />
          )}
        </Section>
      </div>
    </Shell>
  );
}
