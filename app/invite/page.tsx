import { Mark } from "#components/mark";
import { PageTitle } from "#components/page-title";
import { passwordRule } from "#lib/admin/password-rule";
import { InviteForm } from "./invite-form.tsx";

/** Where a one-time link leads. Its token is in the part of the address that never reaches a server. */
export default function InvitePage() {
  return (
    <main className="grid flex-1 place-items-center bg-canvas px-4 py-12">
      <PageTitle>Choose a password</PageTitle>
      <div className="w-full max-w-sm">
        <Mark size={28} />
        <h1 className="mt-4 mb-5 text-xl font-semibold">Choose a password</h1>
        <InviteForm rule={passwordRule} />
      </div>
    </main>
  );
}
