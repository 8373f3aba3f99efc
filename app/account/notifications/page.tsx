import { ActBoxes, ActButtons, ActForm, ActSelect } from "#components/form/act-form";
import { FieldGroup } from "#components/form/choice-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { deliveryLabels, hourText, notificationLabels } from "#lib/messages/notifications";
import { myAccount } from "#lib/person/mail/my-account";
import { notificationKinds, type NotificationChoice } from "#lib/person/model/notification";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { AccountTabs } from "../account-tabs.tsx";
import { BrowserNotices } from "../browser-notices.tsx";
import { saveNotifications } from "./actions.ts";

type Props = { readonly searchParams: Promise<{ readonly done?: string | string[] }> };

/** How a reviewer is told of what happens, by mail and by this browser. */
export default async function NotificationsPage({ searchParams }: Props) {
  const { done } = await searchParams;
  const person = await requirePerson("/account/notifications");
  const { email, notifications, isMailSent } = await myAccount(contextOf(person));
  const reviews = person.roles.includes("reviewer");
  return (
    <Shell person={person} current="account" title="Notifications">
      <PageHeader title="Your account" tabs={<AccountTabs current="/account/notifications" />} />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-6 max-w-3xl">
          Saved. It applies to what happens from now on.
        </Notice>
      )}
      <div className="grid max-w-3xl gap-6">
        {!isMailSent && (
          <Notice tone="plain">Email isn't set up yet. Whoever runs this service has to connect a mail server.</Notice>
        )}
        {reviews ? (
          <Panel title="Email" aside={email}>
            <MailForm chosen={notifications} />
          </Panel>
        ) : (
          <Panel title="Email" aside={email}>
            <p>Only changes of how you sign in. The choices here are for reviewers.</p>
          </Panel>
        )}
        {reviews && (
          <Panel title="This browser">
            <BrowserNotices />
          </Panel>
        )}
      </div>
    </Shell>
  );
}

const deliveryOptions = Object.entries(deliveryLabels).map(([value, text]) => ({ value, text }));
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), text: hourText(hour) }));

function MailForm({ chosen }: { readonly chosen: NotificationChoice }) {
  const { kinds, quiet, quietWeekends, urgentAnyway } = chosen;
  return (
    <ActForm act={saveNotifications} className="grid gap-6">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {notificationKinds.map((kind) => (
          <ActSelect
            key={kind}
            name={kind}
            label={notificationLabels[kind]}
            defaultValue={kinds[kind]}
            options={deliveryOptions}
          />
        ))}
      </div>
      <FieldGroup legend="Quiet hours">
        <p className="mb-2 text-sm text-ink-soft">
          In each practice&rsquo;s time zone. Email waits until they end, and nothing is lost.
        </p>
        <div className="grid gap-3">
          <ActBoxes
            name="quiet"
            list={[{ value: "yes", label: "No email between these hours" }]}
            ticked={quiet ? ["yes"] : []}
          />
          <div className="flex flex-wrap gap-4 ps-6.5">
            <ActSelect label="From" name="quiet.from" options={hours} defaultValue={String(quiet?.from ?? 18)} />
            <ActSelect label="To" name="quiet.to" options={hours} defaultValue={String(quiet?.to ?? 7)} />
          </div>
          <ActBoxes
            name="weekends"
            list={[{ value: "yes", label: "No email on Saturday and Sunday" }]}
            ticked={quietWeekends ? ["yes"] : []}
          />
          <ActBoxes
            name="urgent"
            list={[
              {
                value: "yes",
                label: "Urgent requests anyway",
                hint: "Email about them comes in quiet hours too, where you chose At once.",
              },
            ]}
            ticked={urgentAnyway ? ["yes"] : []}
          />
        </div>
      </FieldGroup>
      <p className="text-sm text-ink-soft">
        Email names the practice and what happened, with a link: nothing of a patient, and nothing you did yourself.
        Email about how you sign in, about emergency access, and about changes that await a second admin, always comes
        at once.
      </p>
      <ActButtons>
        <SubmitButton tone="primary">Save notifications</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
