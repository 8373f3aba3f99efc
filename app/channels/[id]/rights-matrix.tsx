import { Check, Minus } from "lucide";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { permissionLabels } from "#lib/messages/admin/channel";
import { effectiveRights, hasLiveCredential } from "#lib/channel/effective-rights";
import type { ChannelRecord } from "#lib/channel/list-channels";
import type { PracticeRecord } from "#lib/practice/list-practices";
import { atoms } from "#lib/access/model/actor";

type Props = { readonly channel: ChannelRecord; readonly practices: readonly PracticeRecord[] };

/** What the channel may do where, as its next call would be answered. */
export function RightsMatrix({ channel, practices }: Props) {
  const active = new Set(practices.flatMap(({ id, status }) => (status === "active" ? [id] : [])));
  const isAllowed = effectiveRights(channel, practices);
  const isAble = channel.status === "active" && hasLiveCredential(channel);
  return (
    <Section title="Effective rights" anchor="effective" aside="as its next call is answered">
      <Table
        caption="What the channel may do, by practice"
        columns={["Practice", ...atoms.map((atom) => permissionLabels[atom].text)]}
      >
        {channel.practices.map(({ id, name }) => (
          <Row key={id}>
            <Cell>
              <PlainText>{name}</PlainText>
              {!active.has(id) && <span className="block text-sm text-warn">suspended</span>}
            </Cell>
            {atoms.map((atom) => (
              <Cell key={atom} label={permissionLabels[atom].text}>
                <May isAllowed={isAllowed(atom, id)} />
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
      {channel.practices.length === 0 && <p className="text-ink-soft">It reaches no practice, so it may do nothing.</p>}
      {!isAble && channel.practices.length > 0 && (
        <p className="mt-2 text-ink-soft">
          {channel.status === "active"
            ? "It has no live key and signs for itself by none, so it may do nothing."
            : "It is suspended, so it may do nothing."}
        </p>
      )}
      <p className="mt-2 text-sm text-ink-faint">No right here releases anything: at every gate a person decides.</p>
    </Section>
  );
}

function May({ isAllowed }: { readonly isAllowed: boolean }) {
  return isAllowed ? (
    <span className="inline-flex items-center gap-1 text-good">
      <Icon of={Check} />
      Yes
    </span>
  ) : (
    <span className="inline-flex items-center gap-1 text-ink-faint">
      <Icon of={Minus} />
      No
    </span>
  );
}
