import { ActForm } from "#components/act-form";
import { Section } from "#components/section";
import { SubmitButton } from "#components/submit-button";
import { Time } from "#components/time";
import type { ShownPerson } from "#lib/admin/show-person";
import { close, open, sendLink, withdraw } from "./actions.ts";

type Of = { readonly person: ShownPerson };

/** What an admin does to somebody's account as a whole. */
export function AccountForms({ person }: Of) {
  if (person.status === "invited") return <InvitationForms person={person} />;
  if (person.status === "disabled") return <OpenForm person={person} />;
  return (
    <>
      <PasswordForm person={person} />
      <CloseForm person={person} />
    </>
  );
}

function InvitationForms({ person: { id, linkEndsAt } }: Of) {
  const isOver = linkEndsAt !== null && linkEndsAt.getTime() <= Date.now();
  return (
    <Section title="Invitation">
      <p className="mb-3 text-ink-soft">
        Not accepted yet.{" "}
        {linkEndsAt !== null && (
          <>
            The link {isOver ? "ended" : "ends"} <Time at={linkEndsAt} />.
          </>
        )}{" "}
        A new link takes the place of the one before.
      </p>
      <div className="grid gap-3">
        <ActForm act={sendLink}>
          <input type="hidden" name="personId" value={id} />
          <input type="hidden" name="isInvitation" value="yes" />
          <div>
            <SubmitButton>Invite again</SubmitButton>
          </div>
        </ActForm>
        <ActForm act={withdraw}>
          <input type="hidden" name="personId" value={id} />
          <div>
            <SubmitButton tone="danger">Withdraw the invitation</SubmitButton>
          </div>
        </ActForm>
      </div>
    </Section>
  );
}

function PasswordForm({ person: { id, linkEndsAt } }: Of) {
  return (
    <Section title="Password">
      {linkEndsAt !== null && (
        <p className="mb-3 text-ink-soft">
          They were asked to choose a new one, by a link until <Time at={linkEndsAt} />.
        </p>
      )}
      <details>
        <summary className="font-semibold">Let them choose a new password</summary>
        <ActForm act={sendLink} className="mt-2 grid gap-2">
          <input type="hidden" name="personId" value={id} />
          <p className="max-w-prose text-sm text-ink-soft">
            The password they have stops working and every session ends, now. They choose another by a link that works
            once, for 72 hours.
          </p>
          <div>
            <SubmitButton tone="danger">Withdraw the password and send a link</SubmitButton>
          </div>
        </ActForm>
      </details>
    </Section>
  );
}

function CloseForm({ person: { id } }: Of) {
  return (
    <Section title="Close the account">
      <p className="mb-3 max-w-prose text-ink-soft">
        Every session ends now and open cases of theirs are free for others. What they decided stays on record. The
        account can be opened again.
      </p>
      <ActForm act={close}>
        <input type="hidden" name="personId" value={id} />
        <div>
          <SubmitButton tone="danger">Close the account</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}

function OpenForm({ person: { id } }: Of) {
  return (
    <Section title="Open the account again">
      <p className="mb-3 max-w-prose text-ink-soft">With the roles above, and the password it had.</p>
      <ActForm act={open}>
        <input type="hidden" name="personId" value={id} />
        <div>
          <SubmitButton>Open the account</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}
