import { ActButton } from "#components/form/act-button";
import { SecondFactorText } from "#components/text/second-factor-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { ShownPerson } from "#lib/person/show-person";
import { close, open, resetFactors, sendLink, withdraw } from "./actions.ts";
import { nowMs } from "#lib/platform/now";

type Of = { readonly person: ShownPerson };

/** What an admin does to somebody's account as a whole. */
export function AccountForms({ person }: Of) {
  if (person.status === "invited") return <InvitationForms person={person} />;
  if (person.status === "disabled") return <OpenForm person={person} />;
  return (
    <>
      <PasswordForm person={person} />
      <SecondFactorForm person={person} />
      <CloseForm person={person} />
    </>
  );
}

function InvitationForms({ person: { id, linkEndsAt } }: Of) {
  const isOver = linkEndsAt !== null && linkEndsAt.getTime() <= nowMs();
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
        <ActButton act={sendLink} about={{ personId: id, isInvitation: "yes" }}>
          Invite again
        </ActButton>
        <ActButton act={withdraw} about={{ personId: id }} tone="danger">
          Withdraw the invitation
        </ActButton>
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
        <ActButton
          act={sendLink}
          about={{ personId: id }}
          className="mt-2 grid gap-2"
          tone="danger"
          says="The password they have stops working and every session ends, now. They choose another by a link that works once, for 72 hours."
        >
          Withdraw the password and send a link
        </ActButton>
      </details>
    </Section>
  );
}

function SecondFactorForm({ person: { id, secondFactor } }: Of) {
  const hasAny = secondFactor?.passkey === true || secondFactor?.app === true;
  return (
    <Section title="Second factor" aside={<SecondFactorText has={secondFactor} />}>
      {hasAny ? (
        <details>
          <summary className="font-semibold">They lost it</summary>
          <ActButton
            act={resetFactors}
            about={{ personId: id }}
            className="mt-2 grid gap-2"
            tone="danger"
            says="Make sure first that it is them. Their passkeys, app and recovery codes are taken away and every session ends, now. They are told by mail, sign in by the password alone and can add another."
          >
            Take the second factor away
          </ActButton>
        </details>
      ) : (
        <p className="text-ink-soft">They add one on their own account&apos;s page.</p>
      )}
    </Section>
  );
}

function CloseForm({ person: { id } }: Of) {
  return (
    <Section title="Close the account">
      <ActButton
        act={close}
        about={{ personId: id }}
        tone="danger"
        says="Every session ends now, what they released and has not left yet is held again, and open cases of theirs are free for others. What they decided stays on record. The account can be opened again."
      >
        Close the account
      </ActButton>
    </Section>
  );
}

function OpenForm({ person: { id } }: Of) {
  return (
    <Section title="Open the account again">
      <ActButton act={open} about={{ personId: id }} says="With the roles above, and the password it had.">
        Open the account
      </ActButton>
    </Section>
  );
}
