import { redirect } from "next/navigation";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { PlainText } from "#components/text/plain-text";
import { Shell } from "#components/shell/shell";
import { showPractice } from "#lib/practice/list-practices";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { practicePath } from "../paths.ts";
import { RouteForm } from "../route-form.tsx";

type Props = { readonly params: Promise<{ readonly id: string }> };

export default async function NewRoutePage({ params }: Props) {
  const { id } = await params;
  const person = await requirePerson(`${practicePath(id)}/new-route`);
  const found = await showPractice(contextOf(person), { practiceId: id });
  if (!found.ok) redirect("/not-found");
  return (
    <Shell person={person} current="practices" title="New route">
      <BackLink href={practicePath(id)}>
        <PlainText>{found.value.name}</PlainText>
      </BackLink>
      <PageHeader title="New route" lead="How this practice reaches one payer." />
      <div className="max-w-3xl">
        <RouteForm practiceId={id} />
      </div>
    </Shell>
  );
}
