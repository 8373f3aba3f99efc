import { ActDialog } from "#components/form/act-dialog";
import { ActBoxes, ActText } from "#components/form/act-form";
import { FieldGroup } from "#components/form/choice-fields";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import type { ShownPractice } from "#lib/practice/list-practices";
import { addProvider, dropProvider } from "../actions.ts";
import { openPractice, PracticeFrame } from "../practice-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<{ readonly done?: string | string[] }>;
};

/** The providers that a practice requests for and with. */
export default async function ProvidersPage({ params, searchParams }: Props) {
  const { id } = await params;
  const opened = await openPractice(id, "providers");
  const { practice } = opened;
  return (
    <PracticeFrame opened={opened} tab="providers" done={(await searchParams).done}>
      <div className="grid max-w-4xl gap-4">
        <p className="max-w-prose text-ink-soft">
          Reviewers see a warning on a request that names any other provider. With no provider listed, no request is
          checked.
        </p>
        {practice.providers.length === 0 ? (
          <Empty title="No providers listed">
            <p className="mb-3">Add the people this practice requests for.</p>
            <NewProvider practice={practice} />
          </Empty>
        ) : (
          <Panel
            title="Providers"
            aside={practice.providers.length}
            flush
            actions={<NewProvider practice={practice} />}
          >
            <ProviderTable practice={practice} />
          </Panel>
        )}
      </div>
    </PracticeFrame>
  );
}

type Of = { readonly practice: ShownPractice };

const roleNames = { requesting: "Requesting", rendering: "Rendering" } as const;

function ProviderTable({ practice: { id, providers } }: Of) {
  return (
    <Table caption="Providers by name" columns={["Provider", "NPI", "Role", { name: "Remove", hidden: true }]}>
      {providers.map(({ npi, name, roles }) => (
        <Row key={npi}>
          <Cell>
            <PlainText>{name}</PlainText>
          </Cell>
          <Cell label="NPI">
            <code className="font-mono text-sm">{npi}</code>
          </Cell>
          <Cell label="Role">{roles.map((role) => roleNames[role]).join(", ")}</Cell>
          <Cell align="end">
            <ActDialog
              act={dropProvider}
              about={{ practiceId: id, npi }}
              label="Remove"
              labelMore={name}
              title={`Remove ${name}?`}
              confirm="Remove provider"
              confirmTone="danger"
            >
              <p>Reviewers see a warning on requests that name this provider, also on those that wait now.</p>
            </ActDialog>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function NewProvider({ practice: { id } }: Of) {
  return (
    <ActDialog
      act={addProvider}
      about={{ practiceId: id }}
      label="Add provider"
      tone="primary"
      title="Add provider"
      confirm="Save provider"
    >
      <ActText label="Name" name="name" required maxLength={100} autoComplete="off" />
      <ActText
        label="NPI"
        name="npi"
        required
        maxLength={10}
        inputMode="numeric"
        autoComplete="off"
        className="font-mono"
        hint="An NPI that is already listed is replaced."
      />
      <FieldGroup legend="Role">
        <ActBoxes
          name="roles"
          list={[
            { value: "requesting", label: "Requesting provider" },
            { value: "rendering", label: "Rendering provider" },
          ]}
          ticked={["requesting", "rendering"]}
        />
      </FieldGroup>
    </ActDialog>
  );
}
