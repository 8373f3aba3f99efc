import { ActForm } from "#components/form/act-form";
import { BackLink } from "#components/shell/back-link";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Received } from "#components/paper/received";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { unmatchedCount, unmatchedPushes, type UnmatchedPush } from "#lib/payer/inbox/unmatched-pushes";
import { markAsHandled } from "./actions.ts";

/** What payers sent that matches no case: somebody of the practice reads it and sees to it. */
export default async function NotificationsPage() {
  const person = await requirePerson("/notifications");
  const ctx = contextOf(person);
  const [list, count] = await Promise.all([unmatchedPushes(ctx), unmatchedCount(ctx)]);
  return (
    <Shell person={person} current="queue" title="Unmatched notifications">
      <BackLink href="/queue">Queue</BackLink>
      <PageHeader
        title="Unmatched notifications"
        lead="A payer sent these, and no single case fits. Find the case and record the answer there, or ask the payer. Then mark the notification as handled."
      />
      {list.length === 0 ? (
        <Empty title="No unmatched notifications">
          <p>When a payer sends something that fits no case, it is listed here until a reviewer handles it.</p>
        </Empty>
      ) : (
        <Section title="To handle" aside={count > list.length ? `the oldest ${list.length} of ${count}` : `${count}`}>
          <ul className="grid divide-y divide-line">
            {list.map((push) => (
              <li key={push.id} className="py-2 first:pt-0 last:pb-0">
                <Unmatched push={push} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Shell>
  );
}

function Unmatched({ push: { id, practice, payer, size, receivedAt } }: { readonly push: UnmatchedPush }) {
  return (
    <Received
      title={`Notification from ${payer}`}
      href={`/notifications/${id}`}
      summary={
        <>
          <span className="font-semibold">
            <PlainText>{payer}</PlainText>
          </span>{" "}
          <span className="text-sm text-ink-faint">
            to <PlainText>{practice}</PlainText>, {size.toLocaleString("en-US")} bytes, received{" "}
            <Time at={receivedAt} />
          </span>
        </>
      }
    >
      <ActForm act={markAsHandled}>
        <input type="hidden" name="id" value={id} />
        <div>
          <SubmitButton>Mark as handled</SubmitButton>
        </div>
      </ActForm>
    </Received>
  );
}
