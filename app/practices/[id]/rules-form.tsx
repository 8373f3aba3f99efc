import { ActBoxes, ActForm, ActSelect } from "#components/form/act-form";
import { FieldGroup } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { PlainText } from "#components/text/plain-text";
import type { InvitingAdmin, PracticeRecord, VoteRule } from "#lib/practice/list-practices";
import { votesMax } from "#lib/task/model/vote-rule";
import { setRules } from "./actions.ts";

const legends: Readonly<Record<`${VoteRule["action"]}-${VoteRule["risk"]}`, string>> = {
  "transmit-ordinary": "Transmit",
  "transmit-high": "Transmit with a warning",
  "void-ordinary": "Void of what the payer has not decided",
  "void-high": "Void of what the payer decided, or with a warning",
};

const counts = Array.from({ length: votesMax }, (_, index) => String(index + 1)).map((value) => ({
  value,
  text: value === "1" ? "One reviewer" : `${value} different reviewers`,
}));

/** What the practice asks for before an action is released, by action and risk. */
export function RulesForm({
  practice,
}: {
  readonly practice: Pick<PracticeRecord, "id"> & {
    readonly rules: readonly VoteRule[];
    readonly hands: readonly InvitingAdmin[];
  };
}) {
  return (
    <ActForm act={setRules}>
      <input type="hidden" name="practiceId" value={practice.id} />
      <p className="text-ink-soft">
        Different people, each by themselves, and never the owner of the channel that asks. A new revision starts the
        count again.
      </p>
      {practice.rules.some(({ votes }) => votes > 1) && <OneHand hands={practice.hands} />}
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {practice.rules.map(({ action, risk, votes, stepUp }) => (
          <FieldGroup key={`${action}-${risk}`} legend={legends[`${action}-${risk}`]}>
            <ActSelect
              label="Released by"
              labelHidden
              name={`${action}-${risk}-votes`}
              options={counts}
              defaultValue={String(votes)}
            />
            <ActBoxes
              name={`${action}-${risk}-step-up`}
              list={[{ value: "yes", label: "Ask them to prove who they are" }]}
              ticked={stepUp ? ["yes"] : []}
            />
          </FieldGroup>
        ))}
      </div>
      <div>
        <SubmitButton>Save releases</SubmitButton>
      </div>
    </ActForm>
  );
}

/** By whose links several reviewers came in: releases by them are as many people only as far as each got their own. */
function OneHand({ hands }: { readonly hands: readonly InvitingAdmin[] }) {
  return hands.map(({ name, people }) => (
    <p key={name} className="text-warn">
      <PlainText>{name}</PlainText> let in {people} of the reviewers here. Make sure that they are different people.
    </p>
  ));
}
