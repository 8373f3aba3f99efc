import { Button } from "#components/form/button";
import { SelectField, TextField } from "#components/form/field";
import { Panel } from "#components/list/panel";
import { Notice } from "#components/shell/notice";
import { atoms } from "#lib/access/model/actor";
import type { DenialRule } from "#lib/channel/model/authority";
import type { tryCall } from "#lib/channel/try-call";
import { denialReasons, permissionLabels } from "#lib/messages/admin/channel";
import { refusalMessage } from "#lib/messages/admin/refusals";
import type { PracticeRecord } from "#lib/practice/list-practices";

/** What stands in the page's address of the call that is tested. */
export type TestedCall = { readonly atom: string; readonly practiceId: string; readonly address: string };

type Props = {
  readonly practices: readonly PracticeRecord[];
  readonly tested: TestedCall | undefined;
  readonly answer: Awaited<ReturnType<typeof tryCall>> | undefined;
};

/** Asks what the endpoint would say to a call, and changes nothing; so it is a plain form with its answer's address. */
export function TestPermissions({ practices, tested, answer }: Props) {
  const refused = answer?.ok === false ? refusalMessage(answer.refusal) : undefined;
  const problem = refused?.problems["address"];
  return (
    <Panel title="Test permissions" aside="Nothing is sent" anchor="test" folds={answer === undefined}>
      <form className="grid gap-4">
        <div role="status" className="empty:hidden">
          {answer?.ok && <Answer deniedBy={answer.value.deniedBy} />}
          {refused && problem === undefined && <Notice tone="bad" title={refused.alert} />}
        </div>
        <SelectField
          label="Operation"
          name="atom"
          defaultValue={tested?.atom ?? atoms[0]}
          options={atoms.map((atom) => ({ value: atom, text: permissionLabels[atom].text }))}
        />
        <SelectField
          label="Practice"
          name="practice"
          defaultValue={tested?.practiceId}
          options={[
            ...practices.map(({ id, name }) => ({ value: id, text: name })),
            { value: "no-such-practice", text: "A practice that doesn't exist" },
          ]}
        />
        <TextField
          label="From IP address (optional)"
          name="address"
          defaultValue={tested?.address}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
        />
        <div>
          <Button>Test call</Button>
        </div>
      </form>
    </Panel>
  );
}

function Answer({ deniedBy }: { readonly deniedBy: DenialRule | undefined }) {
  return deniedBy === undefined ? (
    <Notice tone="good" title="Allowed">
      <p>The endpoint accepts this call.</p>
    </Notice>
  ) : (
    <Notice tone="bad" title="Denied">
      <p>{denialReasons[deniedBy]}.</p>
    </Notice>
  );
}
