import { Mark } from "#components/shell/mark";
import { PageTitle } from "#components/shell/page-title";
import { passwordRule, signOnRefusalText } from "#lib/messages/account";
import { ssoLabel } from "#lib/person/sso/sso-settings";
import { InviteForm } from "./invite-form.tsx";

type Props = { readonly searchParams: Promise<{ readonly sso?: string | string[] }> };

/** Where a one-time link leads. Its token is in the part of the address that never reaches a server. */
export default async function InvitePage({ searchParams }: Props) {
  const { sso: why } = await searchParams;
  const label = ssoLabel();
  const title = label === undefined ? "Choose a password" : "Choose how you sign in";
  const alert = label === undefined ? undefined : signOnRefusalText("join", why, label);
  return (
    <main className="grid flex-1 place-items-center bg-canvas px-4 py-12">
      <PageTitle>{title}</PageTitle>
      <div className="w-full max-w-sm">
        <Mark size={28} />
        <h1 className="mt-4 mb-5 text-xl font-semibold">{title}</h1>
        <InviteForm rule={passwordRule} label={label} alert={alert} />
      </div>
    </main>
  );
}
