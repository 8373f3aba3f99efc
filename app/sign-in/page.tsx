import { redirect } from "next/navigation";
import { Mark } from "#components/shell/mark";
import { PageTitle } from "#components/shell/page-title";
import { Button } from "#components/form/plain-button";
import { demoSignIns } from "#lib/person/sign-in/demo-sign-ins";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { currentPerson } from "#lib/person/session/person";
import { ssoLabel } from "#lib/person/sso/sso-settings";
import { DemoAccounts } from "./demo-accounts.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { SsoRefusalNotice } from "./sso-refusal.tsx";

type SearchParams = {
  readonly next?: string | string[];
  readonly sso?: string | string[];
  readonly over?: string | string[];
};
type Props = { readonly searchParams: Promise<SearchParams> };

export default async function SignInPage({ searchParams }: Props) {
  const { next: requested, sso, over } = await searchParams;
  if (await currentPerson()) redirect("/");
  const next = typeof requested === "string" ? requested : "/";
  const label = ssoLabel();
  const demo = await demoSignIns();
  return (
    <main className="grid flex-1 place-items-center bg-canvas px-4 py-12">
      <PageTitle>Sign in</PageTitle>
      <div className="w-full max-w-xs">
        <Mark size={28} />
        <h1 className="mt-4 text-xl font-semibold">Prior authorization</h1>
        <p className="mt-1 mb-5 text-ink-soft">
          AI agents prepare requests. Reviewers decide what is submitted to the payer.
        </p>
        {label !== undefined && typeof sso === "string" && <SsoRefusalNotice why={sso} label={label} />}
        {over !== undefined && (
          <p role="status" className="mb-3.5 rounded-md border border-line bg-sunken px-3 py-2.5">
            That took longer than five minutes. Sign in again.
          </p>
        )}
        <SignInForm next={next} />
        {passkeySite() && <PasskeySignIn next={next} />}
        {label !== undefined && <SsoForm next={next} label={label} />}
        <p className="mt-6 text-sm text-ink-faint">
          Trouble signing in, or no account yet? Ask the admin of your practice for a link.
        </p>
        <p className="mt-2 text-sm text-ink-faint">
          Building an agent?{" "}
          {/* oxlint-disable-next-line next/no-html-link-for-pages -- so that this page loads no script for it */}
          <a href="/developers" className="text-news underline">
            Developers
          </a>
        </p>
        {demo.length > 0 && <DemoAccounts list={demo} next={next} />}
      </div>
    </main>
  );
}

/** Leads to the provider. A form, because a sign-in begins with somebody's press and never with a link. */
function SsoForm({ next, label }: { readonly next: string; readonly label: string }) {
  return (
    <form action="/sign-in/sso" method="post" className="mt-5 border-t border-line pt-5">
      <input type="hidden" name="next" value={next} />
      <Button wide>Sign in with {label}</Button>
    </form>
  );
}
