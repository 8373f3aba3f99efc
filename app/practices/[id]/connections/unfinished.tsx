import { ActDialog } from "#components/form/act-dialog";
import { ButtonLink } from "#components/form/button";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import { Ago } from "#components/text/time";
import { draftTestText } from "#lib/messages/admin/practice";
import { connectorText } from "#lib/messages/connector-text";
import type { RouteDraft } from "#lib/practice/draft/route-draft";
import { discardConnection } from "../new-route/actions.ts";
import { draftPath } from "../paths.ts";

type Props = { readonly practiceId: string; readonly drafts: readonly RouteDraft[] };

/** The reader's own payer connections that are not active yet, so that one left half-way is found again. */
export function Unfinished({ practiceId, drafts }: Props) {
  if (drafts.length === 0) return null;
  return (
    <div className="mb-6">
      <Panel title="Not finished" aside={drafts.length} flush>
        <Table
          caption="Your payer connections that are not active yet, the newest first"
          columns={["Payer", "Connection type", "Test", "Changed", "What you can do"]}
        >
          {drafts.map((draft) => (
            <Row key={draft.id}>
              <Cell className="wrap-anywhere">
                <PlainText>{draft.input.payerName ?? draft.input.payerId}</PlainText>{" "}
                <span className="font-mono text-sm text-ink-faint">
                  <PlainText>{draft.input.payerId}</PlainText>
                </span>
              </Cell>
              <Cell label="Connection type">{connectorText(draft.input.connector)}</Cell>
              <Cell label="Test">{draftTestText(draft.input.connector, draft.test)}</Cell>
              <Cell label="Changed">
                <Ago at={draft.changedAt} />
              </Cell>
              <Cell>
                <Choices practiceId={practiceId} draft={draft} />
              </Cell>
            </Row>
          ))}
        </Table>
      </Panel>
      <p className="mt-2 text-sm text-ink-soft">Only you see these. Each is deleted a day after its last change.</p>
    </div>
  );
}

function Choices({ practiceId, draft: { id, input } }: { readonly practiceId: string; readonly draft: RouteDraft }) {
  const name = input.payerName ?? input.payerId;
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink href={draftPath(practiceId, id, "access")}>
        Continue<span className="sr-only"> with {name}</span>
      </ButtonLink>
      <ActDialog
        act={discardConnection}
        about={{ practiceId, draftId: id }}
        label="Discard"
        labelMore={name}
        title={`Discard the payer connection to ${name}?`}
        confirm="Discard"
        confirmTone="danger"
      >
        <p>Its address and credential are deleted. A connection to this payer that is active stays as it is.</p>
      </ActDialog>
    </div>
  );
}
