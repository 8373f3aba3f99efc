import { ActButtons, ActForm } from "#components/form/act-form";
import { grantText } from "#components/text/grant-text";
import { PlainText } from "#components/text/plain-text";
import { roleText } from "#lib/messages/admin/person";
import { SubmitButton } from "#components/form/submit-button";
import { Cell, Row, Table } from "#components/list/table";
import type { GroupRecord } from "#lib/person/map-group";
import { takeFromGroup } from "./actions.ts";

type Props = {
  readonly list: readonly GroupRecord[];
  /** What practices are called, by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Of the provider that is set now. */
  readonly issuer: string | undefined;
};

export function GroupTable({ list, names, issuer }: Props) {
  if (list.length === 0) return <p className="text-ink-soft">No group gives a role in the practices you administer.</p>;
  return (
    <Table
      caption="Groups and the roles they give"
      columns={[
        { name: "Group", width: "md:w-[34%]" },
        { name: "Role", width: "md:w-28" },
        { name: "Where" },
        { name: "Remove", width: "md:w-40", hidden: true },
      ]}
    >
      {list.map((record) => (
        <Row key={`${record.issuer} ${record.group} ${grantText(record)}`}>
          <Cell className="wrap-anywhere">
            <span className="font-semibold">
              <PlainText>{record.group}</PlainText>
            </span>
            {record.issuer !== issuer && (
              <span className="block text-sm text-ink-faint">of {record.issuer}, which is not the provider now</span>
            )}
          </Cell>
          <Cell label="Role">{roleText[record.role]}</Cell>
          <Cell label="Where" className="wrap-anywhere">
            {record.practiceId === undefined ? (
              "Every practice"
            ) : (
              <PlainText>{names.get(record.practiceId) ?? record.practiceId}</PlainText>
            )}
          </Cell>
          <Cell>
            <TakeForm record={record} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function TakeForm({ record }: { readonly record: GroupRecord }) {
  return (
    <ActForm act={takeFromGroup} className="grid gap-2">
      <input type="hidden" name="issuer" value={record.issuer} />
      <input type="hidden" name="group" value={record.group} />
      <input type="hidden" name="grant" value={grantText(record)} />
      <ActButtons>
        <SubmitButton>
          Take away
          <span className="sr-only">
            {" "}
            {roleText[record.role]} from {record.group}
          </span>
        </SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
