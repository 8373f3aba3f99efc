import { ActDialog } from "#components/form/act-dialog";
import { ActButtons, ActForm } from "#components/form/act-form";
import { Notice } from "#components/shell/notice";
import { Button } from "#components/form/plain-button";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import { signOnRefusalText } from "#lib/messages/account";
import { ownSignOn, type OwnSignOn } from "#lib/person/sso/sign-on-view";
import type { PersonActor } from "#lib/access/model/actor";
import { unlinkProvider } from "./actions.ts";
import { proveNow } from "./security/actions.ts";

type Props = {
  readonly person: PersonActor;
  /** Why a trip to the provider came to nothing. */
  readonly why: string | undefined;
};

/** The account of the single sign-on provider that opens this one. Nothing where there is no provider. */
export async function SignOnSection({ person, why }: Props) {
  const signOn = await ownSignOn(person);
  if (!signOn) return null;
  const { label, link } = signOn;
  const alert = signOnRefusalText("link", why, label);
  return (
    <Section title={label} anchor="sign-on" aside={link ? "linked" : "not linked"}>
      {alert !== undefined && (
        <Notice tone="bad" role="alert" className="mb-3.5 max-w-prose">
          {alert}
        </Notice>
      )}
      {link ? <Linked signOn={signOn} link={link} /> : <Unlinked signOn={signOn} />}
    </Section>
  );
}

function Linked({ signOn, link }: { readonly signOn: OwnSignOn; readonly link: NonNullable<OwnSignOn["link"]> }) {
  const { label, isOwnSession } = signOn;
  return (
    <div className="grid gap-3.5">
      <p>
        Signs you in since <Time at={link.createdAt} />, as{" "}
        <code className="font-mono text-sm wrap-anywhere">
          <PlainText>{link.subject}</PlainText>
        </code>
        .
      </p>
      <p className="max-w-prose text-sm text-ink-soft">
        Roles from groups at {label} apply only while you're signed in with it.
      </p>
      {link.canSignInOtherwise ? (
        <div>
          <ActDialog
            act={unlinkProvider}
            label={`Unlink ${label}`}
            tone="danger"
            title={`Unlink ${label}?`}
            confirm="Unlink"
            confirmTone="danger"
          >
            <p>
              You can no longer sign in with it, and sessions started with it end at once
              {isOwnSession ? ", this one too" : ""}. Roles that its groups gave you go with it.
            </p>
          </ActDialog>
        </div>
      ) : (
        <p className="max-w-prose text-sm text-ink-soft">
          It can't be unlinked because you'd have no other way to sign in.
        </p>
      )}
    </div>
  );
}

function Unlinked({ signOn: { label, isProved, kind } }: { readonly signOn: OwnSignOn }) {
  const lead = (
    <p className="max-w-prose text-ink-soft">Once it's linked, you can sign in here with your {label} account.</p>
  );
  if (!isProved) {
    return (
      <ActForm act={proveNow} asks={kind} isProof>
        {lead}
        <input type="hidden" name="next" value="/account" />
        <ActButtons>
          <SubmitButton>Go on</SubmitButton>
        </ActButtons>
      </ActForm>
    );
  }
  return (
    <form action="/sign-in/sso" method="post" className="grid gap-3.5">
      {lead}
      <input type="hidden" name="purpose" value="link" />
      <p className="max-w-prose text-sm text-ink-soft">It asks who you are, even if you are signed in there.</p>
      <div>
        <Button>Link your account at {label}</Button>
      </div>
    </form>
  );
}
