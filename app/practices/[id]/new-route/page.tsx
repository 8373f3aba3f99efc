import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Shell } from "#components/shell/shell";
import { showPractice } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { showPayer } from "#lib/practice/directory/show-directory";
import { newRoutePath, practicePath } from "../paths.ts";
import { RouteForm } from "../route-form.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly payer?: string | string[] }>;
};

export default async function NewRoutePage({ params, searchParams }: Props) {
  const { id } = await params;
  const { payer } = await searchParams;
  const payerId = typeof payer === "string" ? payer : undefined;
  const person = await requirePerson(newRoutePath(id, payerId));
  const ctx = contextOf(person);
  const found = await showPractice(ctx, { practiceId: id });
  if (!found.ok) redirect("/not-found");
  const listed = payerId === undefined ? undefined : await showPayer(ctx, { practiceId: id, payerId });
  return (
    <Shell person={person} current="practices" title="New route">
      <BackLink href={practicePath(id)}>
        <PlainText>{found.value.name}</PlainText>
      </BackLink>
      <PageHeader title="New route" lead="How this practice reaches one payer." />
      <div className="max-w-3xl">
        <RouteForm practiceId={id} listed={listed?.ok ? listed.value.payer : undefined} />
      </div>
    </Shell>
  );
}
