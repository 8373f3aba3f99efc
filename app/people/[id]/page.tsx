import { redirect } from "next/navigation";
import { Attention, type AttentionItem } from "#components/admin/attention";
import { CopyButton } from "#components/form/copy-button";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { Notice } from "#components/shell/notice";
import { RolesHeld } from "#components/text/roles-held";
import { SecondFactorText } from "#components/text/second-factor-text";
import { Time } from "#components/text/time";
import type { ShownPerson } from "#lib/person/show-person";
import { listPractices, type PracticeRecord } from "#lib/practice/list-practices";
import { nowMs } from "#lib/platform/now";
import { AccountActs } from "./account-acts.tsx";
import { personPath } from "./paths.ts";
import { openPerson, PersonFrame } from "./person-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** Whether somebody can sign in, what they may do, and the acts on the account as a whole. */
export default async function PersonPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPerson(id, "overview");
  const { ctx, viewer, person } = opened;
  const practices = await listPractices(ctx);
  if (!practices.ok) redirect("/not-found");
  return (
    <PersonFrame opened={opened} tab="overview" done={(await searchParams).done}>
      <div className="grid max-w-3xl gap-6">
        <Attention list={attentionOf(person, practices.value)} />
        <About person={person} practices={practices.value} />
        {!person.isWhole && (
          <Notice>
            This person also works in practices you don&rsquo;t administer. An admin of every practice can manage their
            account and sessions.
          </Notice>
        )}
        {person.isWhole && person.id !== viewer.id && <AccountActs person={person} />}
      </div>
    </PersonFrame>
  );
}

type AboutProps = { readonly person: ShownPerson; readonly practices: readonly PracticeRecord[] };

function About({ person, practices }: AboutProps) {
  const names = new Map(practices.map(({ id, name }) => [id, name]));
  return (
    <Panel title="About">
      <Facts
        list={[
          { name: "Roles", value: <RolesHeld grants={person.grants} names={names} /> },
          person.status === "active"
            ? { name: "Second factor", value: <SecondFactorText has={person.secondFactor} /> }
            : undefined,
          { name: person.status === "invited" ? "Invited" : "Created", value: <Time at={person.createdAt} /> },
          {
            name: "Person ID",
            value: (
              <span className="flex items-center gap-2">
                <code className="font-mono text-sm wrap-anywhere">{person.id}</code>
                <CopyButton text={person.id} of="person ID" />
              </span>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** What keeps them from working, each with the act that fixes it. */
function attentionOf(person: ShownPerson, practices: readonly PracticeRecord[]): readonly AttentionItem[] {
  const { status, grants, linkEndsAt, secondFactor, id } = person;
  const list: AttentionItem[] = [];
  if (status !== "disabled" && grants.length === 0)
    list.push({
      text: "No role. This person can't see anything.",
      act: "Assign a role",
      href: personPath(id, "roles"),
    });
  if (status === "invited" && (linkEndsAt === null || linkEndsAt.getTime() <= nowMs()))
    list.push({
      text: "The invitation link has expired. This person can't accept it.",
      act: "Send a new invitation",
      href: "#account",
    });
  const asks = practices.find(
    ({ id: practiceId, reviewersSecondFactor }) =>
      reviewersSecondFactor && grants.some((grant) => grant.role === "reviewer" && grant.practiceId === practiceId),
  );
  if (status === "active" && asks && secondFactor && !secondFactor.passkey && !secondFactor.app)
    list.push({
      text: `No second factor, which ${asks.name} requires. This person adds one at the next sign-in.`,
      act: "Change the requirement",
      href: `/practices/${encodeURIComponent(asks.id)}/rules#security`,
    });
  return list;
}
