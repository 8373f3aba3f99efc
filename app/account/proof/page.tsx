import { proofMinutes } from "#lib/access/model/proof";
import { redirect } from "next/navigation";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Button } from "#components/form/plain-button";
import { Shell } from "#components/shell/shell";
import { signOnRefusalText } from "#lib/messages/account";
import { currentPerson } from "#lib/person/session/person";
import { ownSignOn } from "#lib/person/sso/sign-on-view";

type Props = { readonly searchParams: Promise<{ readonly sso?: string | string[] }> };

/**
 * Where somebody who came through the provider proves anew that it is they, in a tab of its own, so that the form that
 * asked for it keeps what was typed. Open to whoever still lacks a second factor too, since the provider may show one.
 */
export default async function ProofPage({ searchParams }: Props) {
  const { sso: why } = await searchParams;
  const person = await currentPerson();
  if (!person) redirect(`/sign-in?next=${encodeURIComponent("/account/proof")}`);
  const signOn = await ownSignOn(person);
  if (!signOn?.isOwnSession) redirect("/account/security");
  const { label, isProved } = signOn;
  const alert = signOnRefusalText("prove", why, label);
  return (
    <Shell person={person} current="account" title="Verify your identity">
      <PageHeader title="Verify your identity" />
      <div className="grid max-w-prose gap-3.5">
        {alert !== undefined && (
          <Notice tone="bad" role="alert">
            {alert}
          </Notice>
        )}
        {alert === undefined && isProved ? (
          <Notice tone="good" role="status" title="Identity verified">
            Verified for {proofMinutes} minutes. Close this tab, go back to the page that asked, and press the button
            again.
          </Notice>
        ) : (
          <form action="/sign-in/sso" method="post" className="grid gap-3.5">
            <input type="hidden" name="purpose" value="prove" />
            <p>
              What you're about to do requires you to verify your identity. {label} asks you to sign in again. It then
              counts for {proofMinutes} minutes.
            </p>
            <div>
              <Button tone="primary">Verify with {label}</Button>
            </div>
          </form>
        )}
      </div>
    </Shell>
  );
}
