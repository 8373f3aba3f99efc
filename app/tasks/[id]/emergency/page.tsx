import { redirect } from "next/navigation";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { BackLink } from "#components/shell/back-link";
import { Notice } from "#components/shell/notice";
import { Shell } from "#components/shell/shell";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { showTimesIn, Time } from "#components/text/time";
import { outcomeText } from "#lib/messages/labels/codes";
import { stateText } from "#lib/messages/reviewer/case";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { env } from "#lib/platform/env";
import { showEmergencyCase, type EmergencyCase } from "#lib/task/emergency-access";
import { ArchivedPart } from "../evidence/archived-part.tsx";
import { Identity } from "../header/identity.tsx";
import { ServiceReviewSheet } from "../request/service-review.tsx";

type Props = { readonly params: Promise<{ readonly id: string }> };

/** A case that the reader opened in an emergency: everything the agent sent and where it stands, to read alone. */
export default async function EmergencyCasePage({ params }: Props) {
  const { id: taskId } = await params;
  const person = await requirePerson(`/tasks/${encodeURIComponent(taskId)}/emergency`);
  const found = await showEmergencyCase(contextOf(person), { taskId });
  if (!found.ok) redirect("/not-found");
  const { access, view } = found.value;
  const isMailSent = env().SMTP_URL !== undefined;
  showTimesIn(view.practice.timeZone);
  return (
    <Shell person={person} current="practices" title={`Emergency access, case ${view.shortId}`}>
      <BackLink href="/emergency">Emergency access</BackLink>
      <Notice tone="warn" title="Emergency access" className="mb-4 max-w-5xl">
        You can read this case until <Time at={access.expiresAt} /> and decide nothing. The reviewers and admins of{" "}
        <PlainText>{view.practice.name}</PlainText> {isMailSent ? "are told by email" : "see it on their home page"}.
      </Notice>
      <div className="grid max-w-5xl gap-6">
        <div className="rounded-lg border border-line">
          <Identity view={view} assignee={undefined} />
        </div>
        <Standing view={view} />
        <div className="rounded-lg border border-line px-4">
          <ServiceReviewSheet view={view} />
        </div>
        {(view.notes.length > 0 || view.unread.notes) && (
          <Panel title="Notes from the agent">
            <ArchivedPart failure={view.unread.notes} href={`/tasks/${view.taskId}/emergency`} />
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
  const current = determinations.findLast(({ standing }) => standing === "in-force");
  return (
    <Panel title="Status">
      <Facts
        list={[
          { name: "Status", value: stateText(state) },
          { name: "Payer", value: <PlainText>{payer.name ?? payer.id}</PlainText> },
          reference === undefined ? undefined : { name: "Payer reference", value: <PlainText>{reference}</PlainText> },
          current === undefined ? undefined : { name: "Decision", value: outcomeText(current.outcome) },
          current?.authorizationNumber === undefined
            ? undefined
            : { name: "Authorization number", value: <PlainText>{current.authorizationNumber}</PlainText> },
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
