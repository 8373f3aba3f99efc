import { ActButtons, ActForm, ActSelect, ActText } from "#components/form/act-form";
import { roleText } from "#lib/messages/admin/person";
import { SubmitButton } from "#components/form/submit-button";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { upcomingProof } from "#lib/person/session/person";
import { roles } from "#lib/access/model/actor";
import { giveGroup } from "./actions.ts";
import { everyPractice } from "./every-practice.ts";

type Props = {
  readonly issuer: string;
  readonly practices: readonly Pick<PracticeRecord, "id" | "name">[];
  /** Whoever asks administers every practice. */
  readonly isOverall: boolean;
};

/** Nothing is chosen ahead: what a group gives is given to everybody in it. */
const choose = { value: "", text: "Select" };

export async function GroupForm({ issuer, practices, isOverall }: Props) {
  const everywhere = isOverall ? [{ value: everyPractice, text: "Every practice (no reviewers)" }] : [];
  return (
    <ActForm act={giveGroup} asks={await upcomingProof()}>
      <input type="hidden" name="issuer" value={issuer} />
      <div className="grid max-w-sm gap-3.5">
        <ActText
          label="Group"
          name="group"
          required
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint="As the provider names it, to the letter."
        />
        <ActSelect
          label="Role"
          name="role"
          defaultValue=""
          required
          options={[choose, ...roles.map((role) => ({ value: role, text: roleText[role] }))]}
        />
        <ActSelect
          label="Where"
          name="practices"
          defaultValue=""
          required
          options={[choose, ...practices.map(({ id, name }) => ({ value: id, text: name })), ...everywhere]}
        />
      </div>
      <ActButtons>
        <SubmitButton tone="primary">Give it</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
