import { ActBoxes, ActForm, ActText } from "#components/form/act-form";
import { FieldGroup } from "#components/form/field";
import { PlainText } from "#components/text/plain-text";
import { SubmitButton } from "#components/form/submit-button";
import { Cell, Row, Table } from "#components/list/table";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { addProvider, dropProvider } from "./actions.ts";

type Of = { readonly practice: Pick<PracticeRecord, "id" | "providers"> };

/** The providers a practice asks for and with; over a request for any other a reviewer is warned. */
export function ProvidersForm({ practice: { id, providers } }: Of) {
  return (
    <>
      <p className="mb-3 text-ink-soft">
        Over a request that names any other provider a reviewer is warned. Nothing is filled in from here: what an agent
        leaves out, it is asked for.
      </p>
      {providers.length > 0 && (
        <Table caption="Providers by name" columns={["Provider", "NPI", "Role", { name: "Remove", hidden: true }]}>
          {providers.map(({ npi, name, roles }) => (
            <Row key={npi}>
              <Cell>
                <PlainText>{name}</PlainText>
              </Cell>
              <Cell label="NPI">
                <code className="font-mono text-sm">{npi}</code>
              </Cell>
              <Cell label="Role">{roles.join(" and ")}</Cell>
              <Cell className="md:text-end">
                <ActForm act={dropProvider}>
                  <input type="hidden" name="practiceId" value={id} />
                  <input type="hidden" name="npi" value={npi} />
                  <SubmitButton aria-label={`Remove ${name}`}>Remove</SubmitButton>
                </ActForm>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <NewProvider practiceId={id} />
    </>
  );
}

function NewProvider({ practiceId }: { readonly practiceId: string }) {
  return (
    <ActForm act={addProvider} className="mt-4 grid gap-3.5">
      <input type="hidden" name="practiceId" value={practiceId} />
      <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
        <ActText label="Provider" name="name" required maxLength={100} autoComplete="off" />
        <ActText
          label="Provider's NPI"
          name="npi"
          required
          maxLength={10}
          inputMode="numeric"
          autoComplete="off"
          className="font-mono"
        />
      </div>
      <FieldGroup legend="Role">
        <div className="flex flex-wrap gap-x-6">
          <ActBoxes
            name="roles"
            list={[
              { value: "requesting", label: "Requests" },
              { value: "rendering", label: "Renders" },
            ]}
            ticked={["requesting", "rendering"]}
          />
        </div>
      </FieldGroup>
      <div>
        <SubmitButton>Save provider</SubmitButton>
      </div>
    </ActForm>
  );
}
