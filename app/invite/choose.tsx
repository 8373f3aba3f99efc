import { TextField } from "#components/form/field";
import { Button } from "#components/form/plain-button";
import { SubmitButton } from "#components/form/submit-button";
import type { LinkAnswer } from "./answer.ts";

type Props = {
  readonly answer: LinkAnswer;
  readonly rule: string;
  readonly label: string | undefined;
  readonly submit: (form: FormData) => void;
};

/** How somebody with a link signs in from now on: through the provider where there is one, or by a password. */
export function Choose({ answer, rule, label, submit }: Props) {
  const { email, isInvitation, isPasswordShut } = answer;
  return (
    <>
      <p className="text-ink-soft">
        {isInvitation ? "You are invited as " : "For "}
        <span className="font-semibold wrap-anywhere text-ink">{email}</span>.
      </p>
      {label === undefined && isPasswordShut && (
        <p>
          Where you are to work, people sign in through a single sign-on provider alone, and none is set up here now.
          Tell your administrator.
        </p>
      )}
      {label !== undefined && <ThroughProvider answer={answer} label={label} />}
      {!isPasswordShut && label === undefined && <ByPassword {...{ answer, rule, submit }} />}
      {!isPasswordShut && label !== undefined && (
        <details open={answer.alert !== undefined} className="border-t border-line pt-4">
          <summary className="text-ink-soft hover:text-ink">Choose a password instead</summary>
          <div className="mt-3.5">
            <ByPassword {...{ answer, rule, submit }} />
          </div>
        </details>
      )}
    </>
  );
}

type OfLink = { readonly answer: LinkAnswer };

/** Posts to the route that leads out, as the sign-in's own form does. */
function ThroughProvider({ answer, label }: OfLink & { readonly label: string }) {
  const { code, isInvitation } = answer;
  return (
    <form action="/sign-in/sso" method="post" className="grid gap-3.5">
      <input type="hidden" name="purpose" value="join" />
      <input type="hidden" name="code" value={code} />
      {isInvitation ? <NameField answer={answer} /> : <input type="hidden" name="name" value="" />}
      <Button tone="primary" wide>
        {isInvitation ? "Accept" : "Go on"} with {label}
      </Button>
      <p className="text-sm text-ink-faint">
        It asks who you are, even if you are signed in there. Use your own account: it opens yours here from then on.
      </p>
    </form>
  );
}

function ByPassword({ answer, rule, submit }: OfLink & Pick<Props, "rule" | "submit">) {
  const { code, email, isInvitation, problems } = answer;
  return (
    <form action={submit} className="grid gap-3.5">
      <input type="hidden" name="code" value={code} />
      {/* For password managers, which keep a password with whose it is. */}
      <input type="hidden" name="username" value={email} autoComplete="username" />
      <input type="hidden" name="chosen" value="yes" />
      {isInvitation && <NameField answer={answer} />}
      <TextField
        label="New password"
        name="password"
        type="password"
        required
        autoComplete="new-password"
        error={problems.password}
        hint={rule}
      />
      <SubmitButton tone="primary" wide>
        {isInvitation ? "Accept the invitation" : "Save the password"}
      </SubmitButton>
    </form>
  );
}

function NameField({ answer: { name, problems } }: OfLink) {
  return (
    <TextField
      label="Your name"
      name="name"
      required
      maxLength={100}
      autoComplete="name"
      defaultValue={name}
      error={problems.name}
      hint="Colleagues and the record show it beside what you decide."
    />
  );
}
