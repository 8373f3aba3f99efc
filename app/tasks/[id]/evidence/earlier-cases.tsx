import { Empty } from "#components/list/empty";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { OutcomeBadge, StateBadge } from "#components/text/case-badges";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";
import { Duplicates } from "../request/duplicates.tsx";

/** The other cases of this member: those a check names beside this one, line by line, and all of them by their outcome. */
export function EarlierCases({ view }: { readonly view: CaseView }) {
  const { duplicates, memberCases } = view;
  if (memberCases.list.length === 0 && duplicates.length === 0) {
    return (
      <div className="p-4">
        <Empty title="No other cases of this member">
          <p>Cases with the same member ID in this practice appear here, from any channel.</p>
        </Empty>
      </div>
    );
  }
  return (
    <div className="p-4">
      {duplicates.length > 0 && <Duplicates view={view} />}
      {memberCases.list.length > 0 && (
        <Section
          title="All cases of this member"
          aside={memberCases.more ? "The latest changed, of this practice" : "Of this practice"}
        >
          <Table caption="All other cases of this member" columns={["Case", "Codes", "Payer", "Status", "Received"]}>
            {memberCases.list.map(({ taskId, shortId, codes, payer, state, outcome, createdAt }) => (
              <Row key={taskId}>
                <Cell>
                  <a href={`/tasks/${taskId}`} className="font-mono font-semibold underline">
                    {shortId}
                  </a>
                </Cell>
                <Cell label="Codes">
                  <span className="font-mono text-sm">
                    <PlainText>{codes.join(", ")}</PlainText>
                  </span>
                </Cell>
                <Cell label="Payer">
                  <PlainText>{payer.name ?? payer.id}</PlainText>
                </Cell>
                <Cell label="Status">
                  {outcome ? <OutcomeBadge outcome={outcome} /> : <StateBadge state={state} />}
                </Cell>
                <Cell label="Received">
                  <Time at={createdAt} as="day" />
                </Cell>
              </Row>
            ))}
          </Table>
        </Section>
      )}
    </div>
  );
}
