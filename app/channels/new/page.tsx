import { redirect } from "next/navigation";
import { ActBoxes, ActButtons, ActForm, ActText } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { FieldGroup } from "#components/form/choice-fields";
import { KeyDays } from "#components/form/key-days";
import { SubmitButton } from "#components/form/submit-button";
import { Empty } from "#components/list/empty";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { atoms } from "#lib/access/model/actor";
import { keyDaysDefault, keyDaysMax } from "#lib/channel/key-terms";
import { permissionLabels } from "#lib/messages/admin/channel";
import { contextOf, requirePerson, upcomingProof } from "#lib/person/session/person";
import { listPractices, type PracticeRecord } from "#lib/practice/list-practices";
import { createChannelWithKey } from "../actions.ts";
import { NoPractices } from "./no-practices.tsx";

type PageProps = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

/**
 * Everything an agent needs, on one form; the answer is its key and a command to try it with. `?practice=` ticks the
 * practice that the reader came from.
 */
export default async function NewChannelPage({ searchParams }: PageProps) {
  const person = await requirePerson("/channels/new");
  const practices = await listPractices(contextOf(person));
  const { practice } = await searchParams;
  if (!practices.ok) redirect("/not-found");
  return (
    <Shell person={person} current="channels" title="New channel">
      <BackLink href="/channels">Channels</BackLink>
      <PageHeader title="New channel" lead="Give an agent access. You can change everything but the ID later." />
      {practices.value.length > 0 ? (
        <div className="max-w-3xl">
          <NewChannel practices={practices.value} from={practice} asks={await upcomingProof()} />
        </div>
      ) : (
        <Empty title="No practices yet">
          <p className="mb-3">A channel gives an agent access to practices. Create a practice first.</p>
          <ButtonLink href="/practices/new" tone="primary">
            Create practice
          </ButtonLink>
        </Empty>
      )}
    </Shell>
  );
}

type Props = {
  readonly practices: readonly PracticeRecord[];
  readonly from: string | string[] | undefined;
  readonly asks: Awaited<ReturnType<typeof upcomingProof>>;
};

function NewChannel({ practices, from, asks }: Props) {
  return (
    <ActForm act={createChannelWithKey} asks={asks} className="grid gap-6">
      {/* Of the channel to be made, so that pressing twice makes one. */}
      <input type="hidden" name="channelId" value={crypto.randomUUID()} />
      <div className="max-w-md">
        <ActText
          label="Name"
          name="name"
          required
          maxLength={100}
          autoComplete="off"
          hint="How people here refer to the agent, such as “Night agent”."
        />
      </div>
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <FieldGroup legend="Practice access">
          <ActBoxes
            name="practices"
            list={practices.map(({ id, name }) => ({ value: id, label: name, hint: id }))}
            ticked={practices.flatMap(({ id }) => (id === from ? [id] : []))}
          />
          <NoPractices />
        </FieldGroup>
        <FieldGroup legend="Permissions">
          <ActBoxes
            name="atoms"
            list={atoms.map((atom) => ({
              value: atom,
              label: permissionLabels[atom].text,
              hint: permissionLabels[atom].opens,
            }))}
            ticked={["prior_auth_intake", "tasks_get"]}
          />
        </FieldGroup>
      </div>
      <FieldGroup legend="Environment">
        <ActBoxes
          name="test"
          list={[
            {
              value: "yes",
              label: "Test channel",
              hint: "For an agent in development. It can reach only practices with test data, and stays a test channel.",
            },
          ]}
        />
      </FieldGroup>
      <KeyDays label="Key expires after (days)" initial={keyDaysDefault} most={keyDaysMax} />
      <ActButtons>
        <SubmitButton tone="primary">Create channel</SubmitButton>
        <ButtonLink href="/channels" tone="quiet">
          Cancel
        </ButtonLink>
      </ActButtons>
    </ActForm>
  );
}
