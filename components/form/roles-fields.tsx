import { ActProblem, ActTick } from "./act-form.tsx";
import { PlainText } from "#components/text/plain-text";
import { roleText } from "#lib/messages/admin/person";
import { Cell, Row, Table } from "#components/list/table";
import type { Role } from "#lib/access/model/actor";
import type { Grant } from "#lib/access/model/grant";
import { grantText } from "#components/text/grant-text";

type Props = {
  readonly practices: readonly { readonly id: string; readonly name: string }[];
  /** Whoever ticks is an admin of every practice, and so may give a role over all of them. */
  readonly isOverall: boolean;
  readonly held?: readonly Grant[] | undefined;
  /** Ticked ahead without being held, as {@link grantText}. */
  readonly ticked?: readonly string[] | undefined;
};

// Safe because these are the object's own keys.
const roles = Object.keys(roleText) as Role[];

/** Roles by practice, as boxes. What was held when the page was drawn goes along, so that only changes are asked for. */
export function RolesFields({ practices, isOverall, held = [], ticked = [] }: Props) {
  const tick = (role: Role, practiceId: string | undefined, where: string) => (
    <ActTick
      name="roles"
      value={grantText({ role, practiceId })}
      label={`${roleText[role]}, ${where}`}
      ticked={[...ticked, ...held.map(grantText)].includes(grantText({ role, practiceId }))}
    />
  );
  return (
    <div className="grid gap-1.5">
      {held.map((grant) => (
        <input key={grantText(grant)} type="hidden" name="held" value={grantText(grant)} />
      ))}
      <Table
        caption="Roles by practice"
        columns={["Practice", ...roles.map((role) => ({ name: roleText[role], width: "md:w-28" }))]}
      >
        {isOverall && (
          <Row>
            <Cell>
              <span className="font-semibold">Every practice</span>
              <span className="block text-sm text-ink-faint">Including those added later</span>
            </Cell>
            <Cell label="Reviewer">
              <span className="text-sm text-ink-faint">Per practice</span>
            </Cell>
            {(["admin", "auditor"] as const).map((role) => (
              <Cell key={role} label={roleText[role]}>
                {tick(role, undefined, "every practice")}
              </Cell>
            ))}
          </Row>
        )}
        {practices.map(({ id, name }) => (
          <Row key={id}>
            <Cell>
              <PlainText>{name}</PlainText>
              <code className="block font-mono text-xs text-ink-faint">{id}</code>
            </Cell>
            {roles.map((role) => (
              <Cell key={role} label={roleText[role]}>
                {tick(role, id, name)}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      <ActProblem name="roles" />
      <ActProblem name="practices" />
    </div>
  );
}
