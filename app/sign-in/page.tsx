import { redirect } from "next/navigation";
import { Mark } from "#components/mark";
import { PageTitle } from "#components/page-title";
import { currentPerson } from "#lib/auth/person";
import { SignInForm } from "./sign-in-form.tsx";

type Props = { readonly searchParams: Promise<{ readonly next?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { next } = await searchParams;
  if (await currentPerson()) redirect("/");
  return (
    <main className="grid flex-1 place-items-center bg-canvas px-4 py-12">
      <PageTitle>Sign in</PageTitle>
      <div className="w-full max-w-xs">
        <Mark size={28} />
        <h1 className="mt-4 mb-5 text-xl font-semibold">Prior authorization</h1>
        <SignInForm next={typeof next === "string" ? next : "/"} />
        <p className="mt-6 text-sm text-ink-faint">
          Accounts are made by your administrator. Ask them too if you cannot get in.
        </p>
      </div>
    </main>
  );
}
