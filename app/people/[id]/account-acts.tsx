import { linkHours } from "#lib/person/model/link-hours";
import type { ReactNode } from "react";
import { ActDialog } from "#components/form/act-dialog";
import { Panel } from "#components/list/panel";
import { Time } from "#components/text/time";
import { upcomingProof } from "#lib/person/session/person";
import type { ShownPerson } from "#lib/person/show-person";
import { deactivate, reactivate, resetFactors, sendLink, withdraw } from "./actions.ts";

type Of = { readonly person: ShownPerson };

/** What an administrator does to somebody's account as a whole, each in a dialog that says what it comes to. */
export function AccountActs({ person }: Of) {
  return (
    <Panel title="Account" anchor="account" flush>
      <ul className="divide-y divide-line">
        {person.status === "invited" && <InvitationActs person={person} />}
        {person.status === "disabled" && <Reactivate person={person} />}
        {person.status === "active" && (
          <>
            <PasswordAct person={person} />
            <SecondFactorAct person={person} />
            <Deactivate person={person} />
          </>
        )}
      </ul>
    </Panel>
  );
}

function Line({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-ink-soft">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}

async function InvitationActs({ person: { id, email, linkEndsAt } }: Of) {
  const asks = await upcomingProof();
  const until = linkEndsAt && <Time at={linkEndsAt} />;
  return (
    <Line title="Invitation" text={until ? <>The link works until {until}.</> : "There is no link that works."}>
      <ActDialog
        act={sendLink}
        about={{ personId: id, isInvitation: "yes" }}
        label="Send again"
        title={`Send ${email} a new invitation?`}
        confirm="Send invitation"
        asks={asks}
      >
        <p>The new link works for {linkHours} hours. The one before stops working now.</p>
      </ActDialog>
      <ActDialog
        act={withdraw}
        about={{ personId: id }}
        label="Withdraw"
        tone="danger"
        title={`Withdraw the invitation of ${email}?`}
        confirm="Withdraw invitation"
        confirmTone="danger"
      >
        <p>The link stops working now. You can invite this person again later.</p>
      </ActDialog>
    </Line>
  );
}

async function PasswordAct({ person: { id, name, linkEndsAt } }: Of) {
  return (
    <Line
      title="Password"
      text={
        linkEndsAt === null ? (
          "For someone who lost their password, or whose password someone else knows."
        ) : (
          <>
            A link to choose a new one works until <Time at={linkEndsAt} />.
          </>
        )
      }
    >
      <ActDialog
        act={sendLink}
        about={{ personId: id }}
        label="Reset password"
        tone="danger"
        title={`Reset the password of ${name}?`}
        confirm="Reset password"
        confirmTone="danger"
        asks={await upcomingProof()}
      >
        <p>
          The current password stops working and every session ends, now. {name} chooses a new password with a link that
          works once, within {linkHours} hours.
        </p>
      </ActDialog>
    </Line>
  );
}

async function SecondFactorAct({ person: { id, name, secondFactor } }: Of) {
  if (secondFactor?.passkey !== true && secondFactor?.app !== true) {
    return (
      <Line title="Second factor" text="Not set up. Everyone adds their own on their account page.">
        {null}
      </Line>
    );
  }
  return (
    <Line title="Second factor" text="For someone who lost their passkey or phone.">
      <ActDialog
        act={resetFactors}
        about={{ personId: id }}
        label="Reset second factor"
        tone="danger"
        title={`Reset the second factor of ${name}?`}
        confirm="Reset second factor"
        confirmTone="danger"
        asks={await upcomingProof()}
      >
        <p>
          First make sure that it is really {name} who asks. Passkeys, authenticator app and recovery codes are removed,
          every session ends, and {name} is told by email. Until they add a new one, a password is enough to sign in.
        </p>
      </ActDialog>
    </Line>
  );
}

function Deactivate({ person: { id, name } }: Of) {
  return (
    <Line title="Deactivate account" text="For someone who left. The account can be reactivated.">
      <ActDialog
        act={deactivate}
        about={{ personId: id }}
        label="Deactivate"
        tone="danger"
        title={`Deactivate the account of ${name}?`}
        confirm="Deactivate account"
        confirmTone="danger"
      >
        <p>
          Every session ends now. Requests {name} released that aren&rsquo;t submitted yet are held, and cases assigned
          to {name} become unassigned. What {name} decided stays on record.
        </p>
      </ActDialog>
    </Line>
  );
}

async function Reactivate({ person: { id, name } }: Of) {
  return (
    <Line title="Reactivate account" text="This account can't sign in.">
      <ActDialog
        act={reactivate}
        about={{ personId: id }}
        label="Reactivate"
        tone="primary"
        title={`Reactivate the account of ${name}?`}
        confirm="Reactivate account"
        asks={await upcomingProof()}
      >
        <p>{name} can sign in again at once, with the roles and the password the account had.</p>
      </ActDialog>
    </Line>
  );
}
