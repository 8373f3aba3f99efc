import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import { outcomeText } from "#lib/messages/labels/codes";
import { determinationSteps } from "#lib/task/determination-steps";
import type { CaseDetermination } from "#lib/task/views";
import { addedText, progressText } from "#lib/messages/progress-text";

/** How an authorization grew, decision by decision; nothing where there is one alone. */
export function Steps({ list }: { readonly list: readonly CaseDetermination[] }) {
  const steps = determinationSteps(list);
  if (steps.length < 2) return null;
  return (
    <div className="mt-4">
      <Table caption="How the authorization changed" columns={["Decided", "Outcome", "Added", "Authorized"]}>
        {steps.map(({ id, at, outcome, added, authorized }) => (
          <Row key={id}>
            <Cell label="Decided">
              <Time at={at} />
            </Cell>
            <Cell label="Outcome">{outcomeText(outcome)}</Cell>
            <Cell label="Added">{added.length === 0 ? "–" : added.map(addedText).join("; ")}</Cell>
            <Cell label="Authorized">{authorized.length === 0 ? "–" : authorized.map(progressText).join("; ")}</Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}
