import { ActButton } from "#components/form/act-button";
import { ActDialog } from "#components/form/act-dialog";
import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Section } from "#components/list/section";
import { Shell } from "#components/shell/shell";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import { ownFactors, type OwnFactors } from "#lib/person/second-factor/factors-view";
import { requirePerson } from "#lib/person/session/person";
import { AccountTabs } from "../account-tabs.tsx";
import { beginApp, changeCodes, removeApp, turnOnApp } from "./actions.ts";
import { GoOn, Needed } from "./needed.tsx";
import { NewPasskey } from "./new-passkey.tsx";
import { Passkeys } from "./passkeys.tsx";
import { TotpOffer } from "./totp-offer.tsx";

type SearchParams = { readonly searchParams: Promise<{ readonly next?: string | string[] }> };

/** What somebody proves with, besides the password, that it is them. */
export default async function SecurityPage({ searchParams }: SearchParams) {
  const { next } = await searchParams;
  const person = await requirePerson("/account/security");
  const factors = await ownFactors(person);
  const requested = typeof next === "string" ? next : undefined;
  return (
    <Shell person={person} current="account" title="Sign-in and security">
      <PageHeader
        title="Your account"
        tabs={<AccountTabs current="/account/security" />}
        lead="A second factor protects your account if someone learns your password. You're asked for it when you sign in and before sensitive changes."
      />
      <div className="max-w-prose">
        <Needed factors={factors} next={requested} />
        <Section title="Passkeys">
          <p className="mb-3 text-ink-soft">
            A fingerprint, face or PIN on this device, or a security key. It signs you in without the password and can't
            be phished.
          </p>
          <Passkeys list={factors.passkeys} />
          {factors.passkeysWork ? (
            <NewPasskey />
          ) : (
            <Notice>
              Passkeys need a name and TLS, and this service is reached at {factors.address}. An operator sets
              PUBLIC_URL to an https address with a name.
            </Notice>
          )}
        </Section>
        <Section title="Authenticator app" aside={factors.totpSince ? "on" : "off"}>
          <AppForm factors={factors} />
          {factors.totpSince && <RemoveApp />}
        </Section>
        <Section title="Recovery codes" aside={factors.any ? `${factors.recoveryCodesLeft} of 10 left` : undefined}>
          <CodesForm factors={factors} />
        </Section>
        {/* Below the codes, which are shown this one time. */}
        {!factors.needed && requested !== undefined && <GoOn next={requested} />}
      </div>
    </Shell>
  );
}

type Props = { readonly factors: OwnFactors };

/** One form before and after it is turned on, so that the recovery codes it answers with stay in it. */
function AppForm({ factors: { totpSince, offer } }: Props) {
  if (!totpSince && !offer) {
    const says = "Any app that shows six-digit codes will do; it works without a network.";
    return (
      <ActButton act={beginApp} about={{}} says={says}>
        Set up an app
      </ActButton>
    );
  }
  return (
    <ActForm act={turnOnApp}>
      {totpSince && (
        <p>
          Its codes count since <Time at={totpSince} />. Each works once.
        </p>
      )}
      {!totpSince && offer && (
        <>
          <TotpOffer {...offer} />
          <ActText
            label="Code the app shows now"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            required
          />
          <ActButtons>
            <SubmitButton tone="primary">Turn on</SubmitButton>
          </ActButtons>
        </>
      )}
    </ActForm>
  );
}

function RemoveApp() {
  return (
    <div className="mt-3">
      <ActDialog
        act={removeApp}
        label="Remove the app"
        tone="danger"
        title="Remove the app?"
        confirm="Remove the app"
        confirmTone="danger"
      >
        <p>Its codes no longer work. Your passkeys stay.</p>
      </ActDialog>
    </div>
  );
}

function CodesForm({ factors }: Props) {
  if (!factors.any) return <p className="text-ink-soft">You get 10 codes when you add a second factor.</p>;
  return (
    <ActForm act={changeCodes}>
      {factors.recoveryCodesLeft < 4 && <Notice tone="warn">Few are left. Create new ones before you run out.</Notice>}
      <p className="text-ink-soft">
        For when you don't have your device. New codes are shown once and replace the ones you have.
      </p>
      <ActButtons>
        <SubmitButton>Create new recovery codes</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
