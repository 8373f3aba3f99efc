import { ActButtons, ActForm } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { Notice } from "#components/shell/notice";
import { SubmitButton } from "#components/form/submit-button";
import type { OwnFactors } from "#lib/person/second-factor/factors-view";
import { returnPath } from "#lib/person/session/return-path";
import { proveNow } from "./actions.ts";

type Props = { readonly factors: OwnFactors; readonly next: string | undefined };

/** For whoever was sent here because they need a second factor. */
export function Needed({ factors: { needed, any, kind, byProvider }, next }: Props) {
  if (!needed) return null;
  if (!any && !byProvider) {
    return (
      <Notice tone="warn" className="mb-6" title="Your work here needs a second factor">
        Add a passkey or an authenticator app. Until then every other page is closed to you.
      </Notice>
    );
  }
  return (
    <div className="mb-6 grid max-w-prose gap-3.5">
      {any ? (
        <Notice tone="warn" title="Your work here needs your second factor">
          You signed in without it. Show it now; until then every other page is closed to you.
        </Notice>
      ) : (
        <Notice tone="warn" title="Your work here needs a second factor">
          Show the one you sign in with where you came from, or add a passkey or an authenticator app below. Until then
          every other page is closed to you.
        </Notice>
      )}
      <ActForm act={proveNow} asks={kind} isProof>
        <input type="hidden" name="next" value={returnPath(next)} />
        <ActButtons>
          <SubmitButton tone="primary">Go on</SubmitButton>
        </ActButtons>
      </ActForm>
    </div>
  );
}

/** Back to where they were sent here from, once they have shown one. */
export function GoOn({ next }: { readonly next: string }) {
  return (
    <Notice tone="good" role="status" className="mb-6">
      <p className="mb-2.5">Second factor verified. Save your recovery codes before you continue.</p>
      <ButtonLink href={returnPath(next)} tone="primary">
        Go on
      </ButtonLink>
    </Notice>
  );
}
