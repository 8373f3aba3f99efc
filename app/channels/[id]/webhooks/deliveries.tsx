import { ActButton } from "#components/form/act-button";
import { Badge } from "#components/list/badge";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { DeliveryRecord } from "#lib/channel/webhook/model/delivery";
import { deliveryResultText, deliveryStatusTexts } from "#lib/messages/admin/webhook";
import { stateText } from "#lib/messages/reviewer/case";
import { resendWebhook } from "../actions.ts";

type Props = { readonly channelId: string; readonly list: readonly DeliveryRecord[] };

/** What became of the last deliveries, the latest first. */
export function Deliveries({ channelId, list }: Props) {
  if (list.length === 0) {
    return (
      <Panel title="Deliveries">
        <p className="text-ink-soft">
          No deliveries yet. The agent names an address at one of these hosts when it sends a message.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Deliveries" aside="The latest first" flush>
      <Table
        caption="Last deliveries, the latest first"
        columns={["Change", "Case ID", "Case status", "Delivery", "Last answer", { name: "Resend", hidden: true }]}
      >
        {list.map((delivery) => (
          <DeliveryRow key={delivery.id} of={delivery} channelId={channelId} />
        ))}
      </Table>
    </Panel>
  );
}

const tones = { delivered: "good", failed: "bad", waiting: "warn", superseded: "plain" } as const;

function DeliveryRow({ of, channelId }: { readonly of: DeliveryRecord; readonly channelId: string }) {
  const { id, taskId, state, changedAt, status, tries, dueAt } = of;
  return (
    <Row>
      <Cell>
        <Time at={changedAt} />
      </Cell>
      <Cell label="Case ID">
        <code className="font-mono text-sm wrap-anywhere">{taskId}</code>
      </Cell>
      <Cell label="Case status">{stateText(state)}</Cell>
      <Cell label="Delivery">
        <Badge tone={tones[status]}>{deliveryStatusTexts[status]}</Badge>
        {dueAt && tries > 0 && (
          <span className="block text-sm text-ink-faint">
            Next try <Time at={dueAt} as="until" />
          </span>
        )}
      </Cell>
      <Cell label="Last answer">{deliveryResultText(of)}</Cell>
      <Cell align="end">
        {status !== "waiting" && (
          <ActButton act={resendWebhook} about={{ channelId, deliveryId: id }}>
            Resend
          </ActButton>
        )}
      </Cell>
    </Row>
  );
}
