import { ActBody, ActButtons, ActText } from "#components/form/act-form";
import { Button } from "#components/form/plain-button";
import { SubmitButton } from "#components/form/submit-button";
import type { LinkAnswer } from "./answer.ts";

type Link = NonNullable<LinkAnswer["link"]>;

type Props = {
  readonly answer: LinkAnswer;
  readonly link: Link;
  readonly rule: string;
  readonly label: string | undefined;
  readonly submit: (form: FormData) => void;
};

/** How somebody with a link signs in from now on: through the provider where there is one, or by a password. */
export function Choose({ answer, link, rule, label, submit }: Props) {
  const { email, isInvitation, isPasswordShut } = link;
  return (
    <>
      <p className="text-ink-soft">
        {isInvitation ? "You are invited as " : "For "}
        <span className="font-semibold wrap-anywhere text-ink">{email}</span>.
      </p>
      {label === undefined && isPasswordShut && (
        <p>
          Where you are to work, people sign in through a single sign-on provider alone, and none is set up here now.
          Tell your admin.
        </p>
      )}
      {label !== undefined && <ThroughProvider link={link} label={label} />}
      {!isPasswordShut && label === undefined && <ByPassword {...{ answer, link, rule, submit }} />}
      {!isPasswordShut && label !== undefined && (
        <details open={answer.alert !== undefined} className="border-t border-line pt-4">
          <summary className="text-ink-soft hover:text-ink">Choose a password instead</summary>
          <div className="mt-3.5">
            <ByPassword {...{ answer, link, rule, submit }} />
          </div>
        </details>
      )}
    </>
  );
}

/** Posts to the route that leads out, as the sign-in's own form does. */
function ThroughProvider({ link, label }: { readonly link: Link; readonly label: string }) {
  const { code, isInvitation } = link;
  return (
    <form action="/sign-in/sso" method="post" className="grid gap-3.5">
      <input type="hidden" name="purpose" value="join" />
      <input type="hidden" name="code" value={code} />
      {isInvitation ? <NameField /> : <input type="hidden" name="name" value="" />}
      <Button tone="primary" wide>
        {isInvitation ? "Accept" : "Go on"} with {label}
      </Button>
      <p className="text-sm text-ink-faint">
        It asks who you are, even if you are signed in there. Use your own account: it opens yours here from then on.
      </p>
    </form>
  );
}

function ByPassword({ answer, link, rule, submit }: Omit<Props, "label">) {
  const { code, email, isInvitation } = link;
  return (
    <ActBody answer={answer} submit={submit} className="grid gap-3.5">
      <input type="hidden" name="code" value={code} />
      {/* For password managers, which keep a password with whose it is. */}
      <input type="hidden" name="username" value={email} autoComplete="username" />
      <input type="hidden" name="chosen" value="yes" />
      {isInvitation && <NameField />}
      <ActText label="New password" name="password" type="password" required autoComplete="new-password" hint={rule} />
      <ActButtons>
        <SubmitButton tone="primary" wide>
          {isInvitation ? "Accept the invitation" : "Save the password"}
        </SubmitButton>
      </ActButtons>
    </ActBody>
  );
}

function NameField() {
  return (
    <ActText
      label="Your name"
      name="name"
      required
      maxLength={100}
      autoComplete="name"
      hint="Colleagues and the audit log show it beside what you decide."
    />
  );
}
