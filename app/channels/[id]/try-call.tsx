import { Button } from "#components/form/button";
import { SelectField, TextField } from "#components/form/field";
import { Notice } from "#components/shell/notice";
import { Section } from "#components/list/section";
import { denialReasons, permissionLabels } from "#lib/messages/admin/channel";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { refusalMessage } from "#lib/messages/admin/refusals";
import type { tryCall } from "#lib/channel/try-call";
import { atoms } from "#lib/access/model/actor";

/** What stands in the page's address of the call that is tried. */
export type TryCallFilter = { readonly atom: string; readonly practiceId: string; readonly address: string };

type Props = {
  readonly practices: readonly PracticeRecord[];
  readonly tried: TryCallFilter | undefined;
  readonly answer: Awaited<ReturnType<typeof tryCall>> | undefined;
};

/** Asks what the endpoint would say to a call, and changes nothing; so it is a plain form with its answer's address. */
export function TryCall({ practices, tried, answer }: Props) {
  return (
    <Section title="Try a call" anchor="try" aside="nothing is sent">
      <form id="try" className="grid gap-3.5">
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <SelectField
            label="Operation"
            name="atom"
            defaultValue={tried?.atom ?? atoms[0]}
            options={atoms.map((atom) => ({ value: atom, text: permissionLabels[atom].text }))}
          />
          <SelectField
            label="Practice"
            name="practice"
            defaultValue={tried?.practiceId}
            options={[
              ...practices.map(({ id, name }) => ({ value: id, text: name })),
              { value: "no-such-practice", text: "One that does not exist" },
            ]}
          />
          <TextField
            label="From the address"
            name="address"
            defaultValue={tried?.address}
            autoComplete="off"
            spellCheck={false}
            hint="Empty: from where it may call."
            className="max-w-56 font-mono text-sm"
          />
        </div>
        <div>
          <Button>Try</Button>
        </div>
      </form>
      {answer && (
        <div className="mt-4" role="status">
          <Answer answer={answer} />
        </div>
      )}
    </Section>
  );
}

function Answer({ answer }: { readonly answer: NonNullable<Props["answer"]> }) {
  if (!answer.ok) return <Notice tone="bad">{refusalMessage(answer.refusal).alert}</Notice>;
  const { deniedBy } = answer.value;
  return deniedBy === undefined ? (
    <Notice tone="good" title="Allowed">
      <p>The channel has what this call needs.</p>
    </Notice>
  ) : (
    <Notice tone="bad" title="Denied">
      <p>{denialReasons[deniedBy]}. The caller is told only that it is not authorised.</p>
    </Notice>
  );
}
