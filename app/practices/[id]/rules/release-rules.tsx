import { ActButtons, ActForm, ActSelect, ActTick } from "#components/form/act-form";
import { SeenFields } from "#components/form/seen-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { Notice } from "#components/shell/notice";
import { PlainText } from "#components/text/plain-text";
import { ruleLabels } from "#lib/messages/admin/practice";
import type { ShownPractice } from "#lib/practice/list-practices";
import { voteRulesText } from "#lib/practice/set-vote-rules";
import { votesMax } from "#lib/task/model/vote-rule";
import { setRules } from "../actions.ts";

const counts = Array.from({ length: votesMax }, (_, index) => String(index + 1)).map((value) => ({
  value,
  text: value === "1" ? "1 reviewer" : `${value} reviewers`,
}));

/** How many people release an action, and whether each proves again who they are. */
export function ReleaseRules({ practice }: { readonly practice: ShownPractice }) {
  return (
    <Panel title="Release rules" anchor="release-rules" folds>
      <ActForm act={setRules}>
        <input type="hidden" name="practiceId" value={practice.id} />
        <p className="text-ink-soft">
          How many different reviewers release a request, and whether each verifies their identity again. The owner of
          the channel that sent it never counts.
        </p>
        <SeenFields seen={voteRulesText(practice.rules)}>
          <Table
            caption="Release rules by action"
            columns={[
              "Action",
              { name: "Released by", width: "md:w-36" },
              { name: "Verify identity", width: "md:w-28" },
            ]}
          >
            {practice.rules.map(({ action, risk, votes, stepUp }) => (
              <Row key={`${action}-${risk}`}>
                <Cell>{ruleLabels[`${action}-${risk}`]}</Cell>
                <Cell label="Released by">
                  <ActSelect
                    label={`${ruleLabels[`${action}-${risk}`]}: released by`}
                    labelHidden
                    name={`${action}-${risk}-votes`}
                    options={counts}
                    defaultValue={String(votes)}
                  />
                </Cell>
                <Cell label="Verify identity">
                  <ActTick
                    name={`${action}-${risk}-step-up`}
                    value="yes"
                    label={`${ruleLabels[`${action}-${risk}`]}: verify identity`}
                    ticked={stepUp}
                  />
                </Cell>
              </Row>
            ))}
          </Table>
        </SeenFields>
        {practice.rules.some(({ votes }) => votes > 1) &&
          practice.hands.map(({ name, people }) => (
            <Notice key={name} tone="warn">
              <PlainText>{`${name} invited ${people} of the reviewers here. Make sure that they are different people.`}</PlainText>
            </Notice>
          ))}
        {practice.secondAdmin && (
          <p className="text-sm text-ink-soft">A rule that asks for less than today awaits a second admin.</p>
        )}
        <ActButtons>
          <SubmitButton tone="primary">Save release rules</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}
