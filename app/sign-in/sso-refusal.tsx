import { unlinkedIdentity } from "#lib/auth/sso-cookies";
import type { SsoRefusal } from "#lib/auth/sso-routes";

const sentences: Readonly<Record<Exclude<SsoRefusal, "unlinked">, (label: string) => string>> = {
  "no-answer": (label) => `${label} does not answer. Try again in a moment; if it goes on, tell your administrator.`,
  declined: (label) => `${label} did not let you through. Nothing happened here; you can try again.`,
  "not-valid": (label) =>
    `What came back from ${label} could not be verified, so nobody was signed in. Try again; if it goes on, tell your administrator.`,
  lost: () =>
    "This sign-in was begun in another browser, or more than ten minutes ago, or it was ended already. Begin it again.",
};

/** Why the provider's word let nobody in, and what to do about it. */
export async function SsoRefusalNotice({ why, label }: { readonly why: string; readonly label: string }) {
  if (why === "unlinked") return <Unlinked label={label} />;
  // Safe because only an own key of the table is looked up.
  const sentence = Object.hasOwn(sentences, why) ? sentences[why as keyof typeof sentences] : undefined;
  return sentence && <Alert>{capital(sentence(label))}</Alert>;
}

async function Unlinked({ label }: { readonly label: string }) {
  const identity = await unlinkedIdentity();
  return (
    <Alert>
      <p>No account here is linked to the one you used at {label}. Ask your administrator to link it.</p>
      {identity && (
        <dl className="mt-2.5 grid gap-0.5">
          <dt className="text-sm text-ink-soft">Tell them this subject</dt>
          <dd className="font-mono text-sm break-all select-all">{identity.subject}</dd>
        </dl>
      )}
    </Alert>
  );
}

function Alert({ children }: { readonly children: React.ReactNode }) {
  return (
    // Without the icons of a notice: this page is to be there at once on any network.
    <div role="alert" className="mb-5 rounded-md border border-bad/30 bg-bad-wash px-3 py-2.5">
      {children}
    </div>
  );
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
