import { PlainText } from "./plain-text.tsx";
import { rolesRecord, type Grant } from "#lib/access/model/grant";
import { roleText } from "#lib/messages/admin/person";

type Props = { readonly grants: readonly Grant[]; readonly names: ReadonlyMap<string, string> };

/** What somebody may do and where, a line for each role. */
export function RolesHeld({ grants, names }: Props) {
  const held = rolesRecord(grants);
  if (held.length === 0) return <span className="text-ink-faint">None</span>;
  return (
    <ul>
      {held.map(({ role, practices }) => (
        <li key={role}>
          <span className="font-semibold">{roleText[role]}</span>{" "}
          <span className="text-ink-soft">
            {practices === "every" ? (
              "of every practice"
            ) : (
              <PlainText>{practices.map((id) => names.get(id) ?? id).join(", ")}</PlainText>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
