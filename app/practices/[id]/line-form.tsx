import { lineOptions } from "#lib/messages/admin/practice";
import { ActButtons, ActForm, ActSelect } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import type { RouteRecord } from "#lib/practice/list-practices";
import { setLine } from "./route-actions.ts";

/** Whose decision times bind a payer; no new version of its route. */
export function LineOfBusinessForm({ route }: { readonly route: RouteRecord }) {
  return (
    <ActForm act={setLine}>
      <input type="hidden" name="practiceId" value={route.practiceId} />
      <input type="hidden" name="payerId" value={route.payerId} />
      <p className="text-ink-soft">
        Decides the payer&rsquo;s legal deadline. Open cases follow at once; requests awaiting release stay as they are.
      </p>
      <div className="max-w-sm">
        <ActSelect
          label="Line of business"
          name="lineOfBusiness"
          options={lineOptions}
          defaultValue={route.lineOfBusiness ?? "unknown"}
        />
      </div>
      <ActButtons>
        <SubmitButton>Save line of business</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
