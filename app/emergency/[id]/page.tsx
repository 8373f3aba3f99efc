import { redirect } from "next/navigation";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { BackLink } from "#components/shell/back-link";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { showTimesIn, Time } from "#components/text/time";
import { stateText } from "#lib/messages/reviewer/case";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { showEmergencyCase, type EmergencyCase } from "#lib/task/emergency-access";
import { leavesOf } from "./leaves.ts";

type Props = { readonly params: Promise<{ readonly id: string }> };

/** A case that the reader opened in an emergency: everything the agent sent and where it stands, to read alone. */
export default async function EmergencyCasePage({ params }: Props) {
  const { id } = await params;
  const person = await requirePerson(`/emergency/${encodeURIComponent(id)}`);
  const found = await showEmergencyCase(contextOf(person), { accessId: id });
  if (!found.ok) redirect("/not-found");
  const { access, view } = found.value;
  showTimesIn(view.practice.timeZone);
  return (
    <Shell person={person} current="practices" title={`Emergency access, case ${view.shortId}`}>
      <BackLink href="/emergency">Emergency access</BackLink>
      <PageHeader title={`Case ${view.shortId}`} lead={<PlainText>{view.practice.name}</PlainText>} />
      <Notice tone="warn" title="Emergency access" className="mb-6 max-w-3xl">
        You can read this case until <Time at={access.expiresAt} />. The reviewers and admins of the practice were told.
      </Notice>
      <div className="grid max-w-3xl gap-6">
        <Standing view={view} />
        <Panel title="Request">
          <Facts
            list={leavesOf(view.review).map(({ name, text }) => ({ name, value: <PlainText>{text}</PlainText> }))}
          />
        </Panel>
        {view.notes.length > 0 && (
          <Panel title="Notes from the agent">
            <div className="grid gap-3">
              {view.notes.map((note, index) => (
                <QuotedText key={index}>{note}</QuotedText>
              ))}
            </div>
          </Panel>
        )}
      </div>
    </Shell>
  );
}

function Standing({ view }: Pick<EmergencyCase, "view">) {
  const { state, payer, reference, determinations, attachments, changedAt, informationRequest } = view;
  const [latest] = determinations;
  return (
    <Panel title="Status">
      <Facts
        list={[
          { name: "Status", value: stateText(state) },
          { name: "Payer", value: <PlainText>{payer.name ?? payer.id}</PlainText> },
          reference === undefined ? undefined : { name: "Payer reference", value: <PlainText>{reference}</PlainText> },
          latest === undefined ? undefined : { name: "Decision", value: latest.outcome },
          latest?.authorizationNumber === undefined
            ? undefined
            : { name: "Authorization number", value: <PlainText>{latest.authorizationNumber}</PlainText> },
          informationRequest === undefined
            ? undefined
            : { name: "Requested information", value: <PlainText>{informationRequest.text}</PlainText> },
          attachments.length === 0
            ? undefined
            : { name: "Documents", value: <PlainText>{attachments.map(({ name }) => name).join(", ")}</PlainText> },
          { name: "Last change", value: <Time at={changedAt} /> },
        ]}
      />
    </Panel>
  );
}
