import { ActBoxes, ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { saveSignIn } from "./actions.ts";

type Props = { readonly practice: Pick<PracticeRecord, "id" | "ssoOnly">; readonly label: string };

/** How whoever holds a role here signs in. */
export function SignInForm({ practice: { id, ssoOnly }, label }: Props) {
  return (
    <ActForm act={saveSignIn}>
      <input type="hidden" name="practiceId" value={id} />
      <ActBoxes
        name="ssoOnly"
        ticked={ssoOnly ? ["yes"] : []}
        list={[
          {
            value: "yes",
            label: `Only through ${label}`,
            hint: "Whoever holds a role here, or over every practice, cannot sign in by password then. It holds at once, for those signed in too.",
          },
        ]}
      />
      <p className="text-sm text-ink-soft">
        Some changes ask for a new proof, which whoever came through {label} gives there. For that it has to ask anew
        when told <code>prompt=login</code> and <code>max_age=0</code>, and to say when it did: the claim{" "}
        <code>auth_time</code> in its ID tokens.
      </p>
      <div>
        <SubmitButton>Save sign-in</SubmitButton>
      </div>
    </ActForm>
  );
}
