import { signOnRefusalText } from "#lib/messages/account";
import { unlinkedIdentity } from "#lib/person/sso/sso-cookies";

/** Why the provider's word let nobody in, and what to do about it. */
export async function SsoRefusalNotice({ why, label }: { readonly why: string; readonly label: string }) {
  if (why === "unlinked") return <Unlinked label={label} />;
  const text = signOnRefusalText("sign-in", why, label);
  return text && <Alert>{text}</Alert>;
}

async function Unlinked({ label }: { readonly label: string }) {
  const identity = await unlinkedIdentity();
  return (
    <Alert>
      <p>
        No account here is linked to the one you used at {label}. If you have an invitation, open its link; if you can
        sign in another way, link it on your account&rsquo;s page. Otherwise ask your admin to link it.
      </p>
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
