import Link from "next/link";
import { redirect } from "next/navigation";
import { Mark } from "#components/shell/mark";
import { PageTitle } from "#components/shell/page-title";
import { passkeySite } from "#lib/person/second-factor/passkey-site";
import { secondStepOfBrowser } from "#lib/person/sign-in/ticket-cookie";
import { PasskeySignIn } from "../passkey-sign-in.tsx";
import { CodeForm } from "./code-form.tsx";

type Props = { readonly searchParams: Promise<{ readonly next?: string | string[] }> };

/** The second step of a sign-in, for the browser that took the first. */
export default async function SecondStepPage({ searchParams }: Props) {
  const { next } = await searchParams;
  const step = await secondStepOfBrowser();
  if (!step) redirect("/sign-in");
  return (
    <main className="grid flex-1 place-items-center bg-canvas px-4 py-12">
      <PageTitle>Verify your identity</PageTitle>
      <div className="w-full max-w-xs">
        <Mark size={28} />
        <h1 className="mt-4 mb-5 text-xl font-semibold">Verify your identity</h1>
        <CodeForm next={typeof next === "string" ? next : "/"} app={step.totp} />
        {step.passkey && passkeySite() && <PasskeySignIn next={typeof next === "string" ? next : "/"} />}
        <p className="mt-6 text-sm text-ink-faint">
          The first step is done. This page works for five minutes; then{" "}
          <Link href="/sign-in" prefetch={false} className="underline">
            begin again
          </Link>
          . Lost everything? An admin can reset how you sign in.
        </p>
      </div>
    </main>
  );
}
