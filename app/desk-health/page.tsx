import { redirect } from "next/navigation";
import { Empty } from "#components/list/empty";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { shownZone } from "#components/text/time";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { deskHealth, type DeskHealth } from "#lib/queue/desk-health";
import { askedIn, healthPath, type Query } from "./filter.ts";
import {
  Ages,
  Answers,
  Payers,
  Reasons,
  Reviewers,
  TimeToDecision,
  Transmissions,
  Waiting,
  WaitingOverTime,
} from "./charts.tsx";
import { Filters } from "./filters.tsx";
import { Headline } from "./headline.tsx";
import { HealthSection } from "./health-section.tsx";

type Props = { readonly searchParams: Promise<Query> };

/** How the desk does: what waits, how fast people and payers decide, and what goes wrong. */
export default async function DeskHealthPage({ searchParams }: Props) {
  const asked = askedIn(await searchParams);
  const person = await requirePerson(healthPath(asked));
  const found = await deskHealth(contextOf(person), { ...asked, zone: await shownZone() });
  if (!found.ok) redirect("/not-found");
  const health = found.value;
  return (
    <Shell person={person} current="health" title="Health">
      <PageHeader title="Health" lead={`How the desk does, over the last ${health.window} days.`} />
      {health.practices.length === 0 ? (
        <Empty title="You review for no practice">
          <p>An administrator can make you a reviewer of a practice. How its desk does is then shown here.</p>
        </Empty>
      ) : (
        <Figures health={health} />
      )}
    </Shell>
  );
}

function Figures({ health }: { readonly health: DeskHealth }) {
  return (
    <>
      <Filters health={health} />
      <Headline health={health} />
      <div className="max-w-4xl">
        <HealthSection health={health} table="waiting">
          <Waiting health={health} />
        </HealthSection>
        <HealthSection health={health} table="ages">
          <Ages health={health} />
        </HealthSection>
        <HealthSection health={health} table="periods">
          <div className="grid items-end gap-x-10 md:grid-cols-2">
            <WaitingOverTime health={health} />
            <TimeToDecision health={health} />
          </div>
        </HealthSection>
        <HealthSection health={health} table="channels">
          <Answers health={health} />
        </HealthSection>
        <HealthSection health={health} table="reasons">
          <Reasons health={health} />
        </HealthSection>
        <HealthSection health={health} table="reviewers">
          <Reviewers health={health} />
        </HealthSection>
        <HealthSection health={health} table="payers">
          <Payers health={health} />
        </HealthSection>
        <HealthSection health={health} table="transmissions">
          <Transmissions health={health} />
        </HealthSection>
      </div>
    </>
  );
}
