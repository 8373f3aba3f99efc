import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { administers } from "#lib/access/model/actor";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { firstRun } from "#lib/practice/first-run";
import { AtRisk } from "./at-risk.tsx";
import { Emergencies } from "./emergencies.tsx";
import { FirstSteps, FirstStepsDone, waitsForFirst } from "./first-steps.tsx";
import { ForAdmins } from "./for-admins.tsx";
import { NoRole } from "./no-role.tsx";

type Props = { readonly searchParams: Promise<{ readonly setup?: string | string[] }> };

/** What is at risk today, each number a way to its list; on a new installation, what to do first. */
export default async function HomePage({ searchParams }: Props) {
  const person = await requirePerson("/");
  const { roles, practices } = person;
  if (roles.length === 1 && roles.includes("auditor")) redirect("/audit");
  const reviews = roles.includes("reviewer") && practices.length > 0;
  const ctx = contextOf(person);
  const installation = await firstRun(ctx);
  const waited = administers(person) === "every" && waitsForFirst((await searchParams).setup);
  return (
    <Shell person={person} current="home" title="Home">
      <div className="max-w-3xl">
        <PageHeader
          title="Home"
          lead="What is at risk today. Each number opens its list."
          actions={
            reviews ? (
              <ButtonLink href="/tasks/next" tone="primary">
                Review next case
              </ButtonLink>
            ) : undefined
          }
        />
        <div className="grid gap-6">
          {installation && <FirstSteps installation={installation} />}
          {!installation && waited && <FirstStepsDone reviews={roles.includes("reviewer")} />}
          <AtRisk ctx={ctx} />
          <ForAdmins ctx={ctx} />
          <Emergencies ctx={ctx} />
          {roles.length === 0 && <NoRole ctx={ctx} />}
        </div>
      </div>
    </Shell>
  );
}
