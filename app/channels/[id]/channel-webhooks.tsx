import { ActButton } from "#components/form/act-button";
import { ActForm, ActTextArea } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Badge } from "#components/list/badge";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { DeliveryRecord } from "#lib/channel/webhook/model/delivery";
import type { WebhookLog } from "#lib/channel/webhook/channel-deliveries";
import { deliveryResultText, deliveryStatusTexts } from "#lib/messages/admin/webhook";
import { stateText } from "#lib/messages/reviewer/case";
import { resendWebhook, rotateWebhook, setWebhooks } from "./actions.ts";

type Props = WebhookLog & { readonly channelId: string };

/** Where the channel's agent may have changes of its tasks delivered, and what became of the last deliveries. */
export function ChannelWebhooks({ channelId, hosts, deliveries }: Props) {
  return (
    <Section title="Webhooks" anchor="webhooks" aside={hosts ? "on" : "off"}>
      <div className="grid gap-5">
        <HostsForm channelId={channelId} hosts={hosts} />
        {hosts && <SecretForm channelId={channelId} />}
        {hosts && deliveries.length === 0 && (
          <p className="text-ink-soft">
            No deliveries yet. The agent names an address at one of these hosts when it sends a message.
          </p>
        )}
        {deliveries.length > 0 && <Deliveries channelId={channelId} list={deliveries} />}
      </div>
    </Section>
  );
}

function HostsForm({ channelId, hosts = [] }: Pick<Props, "channelId" | "hosts">) {
  return (
    <ActForm act={setWebhooks} className="grid max-w-md gap-3.5">
      <input type="hidden" name="channelId" value={channelId} />
      <ActTextArea
        label="Webhook hosts"
        name="hosts"
        rows={2}
        defaultValue={hosts.join("\n")}
        spellCheck={false}
        className="font-mono text-sm"
        hint="Hosts where the agent may have changes of its tasks delivered, such as agents.example.org, one a line. A delivery holds the task's ID and state, and no patient data. Empty: no webhooks."
      />
      <div>
        <SubmitButton>Save webhook hosts</SubmitButton>
      </div>
    </ActForm>
  );
}

function SecretForm({ channelId }: Pick<Props, "channelId">) {
  return (
    <ActForm act={rotateWebhook} className="grid gap-2.5">
      <input type="hidden" name="channelId" value={channelId} />
      <p className="max-w-prose text-ink-soft">
        Each delivery is signed as Standard Webhooks describes. A new signing secret is shown once. For 24 hours
        deliveries are signed with the current secret too.
      </p>
      <div>
        <SubmitButton tone="plain">Rotate signing secret</SubmitButton>
      </div>
    </ActForm>
  );
}

function Deliveries({ channelId, list }: { readonly channelId: string; readonly list: readonly DeliveryRecord[] }) {
  return (
    <Table
      caption="Last deliveries, the latest first"
      columns={["Change", "Task", "State", "Status", "Last answer", { name: "Resend", hidden: true }]}
    >
      {list.map((delivery) => (
        <DeliveryRow key={delivery.id} of={delivery} channelId={channelId} />
      ))}
    </Table>
  );
}

const tones = { delivered: "good", failed: "bad", waiting: "warn", superseded: "plain" } as const;

function DeliveryRow({ of, channelId }: { readonly of: DeliveryRecord; readonly channelId: string }) {
  const { id, taskId, state, changedAt, status, tries, dueAt } = of;
  return (
    <Row>
      <Cell>
        <Time at={changedAt} as="full" />
      </Cell>
      <Cell label="Task">
        <code className="font-mono text-sm">{taskId}</code>
      </Cell>
      <Cell label="State">{stateText(state)}</Cell>
      <Cell label="Status">
        <Badge tone={tones[status]}>{deliveryStatusTexts[status]}</Badge>
        {dueAt && tries > 0 && (
          <span className="block text-sm text-ink-faint">
            next <Time at={dueAt} as="until" />
          </span>
        )}
      </Cell>
      <Cell label="Last answer">{deliveryResultText(of)}</Cell>
      <Cell className="md:text-end">
        {status !== "waiting" && (
          <ActButton act={resendWebhook} about={{ channelId, deliveryId: id }} tone="plain">
            Resend
          </ActButton>
        )}
      </Cell>
    </Row>
  );
}
