import type { ComponentProps } from "react";
import { ActDialog } from "#components/form/act-dialog";
import { Badge } from "#components/list/badge";
import { Panel } from "#components/list/panel";
import { upcomingProof } from "#lib/person/session/person";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveAutoReview, saveEmergencyAccess, saveSecondAdmin, saveSecondFactor, saveSignIn } from "../actions.ts";

type Of = { readonly practice: PracticeRecord };

/** How people get in, and who confirms what widens access: each is on or off, and a dialog says what changing it does. */
export function Security({ practice, sso }: Of & { readonly sso: string | undefined }) {
  return (
    <Panel title="Security" anchor="security" folds flush>
      <ul className="divide-y divide-line">
        <SecondFactor practice={practice} />
        {(sso !== undefined || practice.ssoOnly) && <SignOn practice={practice} label={sso ?? "Single sign-on"} />}
        <SecondAdmin practice={practice} />
        <EmergencyAccess practice={practice} />
        {practice.environment === "test" && <AutoReview practice={practice} />}
      </ul>
    </Panel>
  );
}

type SwitchProps = Pick<ComponentProps<typeof ActDialog>, "act" | "title" | "children"> & {
  readonly practiceId: string;
  readonly name: string;
  readonly on: boolean;
  readonly says: string;
};

async function Switch({ act, practiceId, name, on, says, title, children }: SwitchProps) {
  const verb = on ? "Turn off" : "Turn on";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name} <Badge tone={on ? "good" : "plain"}>{on ? "On" : "Off"}</Badge>
        </p>
        <p className="text-sm text-ink-soft">{says}</p>
      </div>
      <ActDialog
        act={act}
        about={{ practiceId, on: on ? "" : "yes" }}
        label={verb}
        labelMore={name}
        title={title}
        confirm={verb}
        confirmTone={on ? "danger" : "primary"}
        asks={await upcomingProof()}
      >
        {children}
      </ActDialog>
    </li>
  );
}

function SecondFactor({ practice: { id, reviewersSecondFactor: on } }: Of) {
  return (
    <Switch
      act={saveSecondFactor}
      practiceId={id}
      name="Second factor for reviewers"
      on={on}
      says="A passkey or an authenticator app beside the password."
      title={on ? "Stop requiring a second factor?" : "Require a second factor?"}
    >
      <p>
        {on
          ? "A password is enough to sign in here again, from the next sign-in."
          : "Reviewers without one are asked to add it on their next page, and can't do anything until then."}
      </p>
    </Switch>
  );
}

function SignOn({ practice: { id, ssoOnly: on }, label }: Of & { readonly label: string }) {
  return (
    <Switch
      act={saveSignIn}
      practiceId={id}
      name={`${label} only`}
      on={on}
      says="People with a role here can't sign in with a password."
      title={on ? "Allow passwords again?" : `Allow only ${label}?`}
    >
      {on ? (
        <p>People with a role here can sign in with their password again.</p>
      ) : (
        <p>
          Everyone with a role here, or over every practice, signs in through {label} from now on. Sessions started with
          a password lose access to this practice at once. The provider has to ask people again for sensitive changes (
          <code>prompt=login</code>, <code>max_age=0</code>) and say when it did (<code>auth_time</code>).
        </p>
      )}
    </Switch>
  );
}

function SecondAdmin({ practice: { id, secondAdmin: on } }: Of) {
  return (
    <Switch
      act={saveSecondAdmin}
      practiceId={id}
      name="Second admin confirms"
      on={on}
      says="New practice access of a channel, the admin role, lower release rules and emergency access wait for another admin."
      title={on ? "Stop asking a second admin?" : "Ask a second admin?"}
    >
      <p>
        {on
          ? "Turning this off awaits a second admin too. Until one confirms, it stays on."
          : "From now on, another admin of this practice has to confirm what widens access. A request expires after seven days."}
      </p>
    </Switch>
  );
}

function AutoReview({ practice: { id, autoReview: on } }: Of) {
  return (
    <Switch
      act={saveAutoReview}
      practiceId={id}
      name="Automatic review"
      on={on}
      says="Test data for the sandbox payer is released without a person, so that agents can be tested."
      title={on ? "Review every request again?" : "Release test data without a person?"}
    >
      <p>
        {on
          ? "From now on, every request here waits for a reviewer."
          : "No person reviews a request before it is submitted. It applies only to test data that goes to a sandbox payer on this machine; everything else waits for a reviewer."}
      </p>
    </Switch>
  );
}

function EmergencyAccess({ practice: { id, emergencyAccess: on, secondAdmin } }: Of) {
  return (
    <Switch
      act={saveEmergencyAccess}
      practiceId={id}
      name="Emergency access"
      on={on}
      says="An admin who doesn't review here can open a case for an hour, with a reason. Reviewers and admins are notified."
      title={on ? "Turn off emergency access?" : "Allow emergency access?"}
    >
      <p>
        {on
          ? "Admins can no longer open cases of this practice, and open access ends."
          : "Admins of this practice can then read a case, and decide nothing, by giving a reason. The audit log says who opened which case; auditors read the reason under Emergency access. Its reviewers and admins are notified at once."}
        {!on && secondAdmin && " Turning this on awaits a second admin."}
      </p>
    </Switch>
  );
}
