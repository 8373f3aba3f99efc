import { Badge } from "#components/list/badge";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { PlainText } from "#components/text/plain-text";
import { timeParts, type TimeReader } from "#components/text/time-parts";
import { TimeText } from "#components/text/time-text";
import type { OwnChannel } from "#lib/channel/own-channel";
import { deliveryResultText, deliveryStatusTexts } from "#lib/messages/admin/webhook";

/** A channel, and whose times it is shown in. */
export type Look = { readonly channel: OwnChannel; readonly reader: TimeReader };

/** A channel for those who build its agent: calls, denials as the caller saw them, webhooks, and its payers. */
export function OwnChannelView({ channel, reader }: Look) {
  const { name, environment, practices, atoms } = channel;
  return (
    <div role="status">
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <h2 className="text-xl font-semibold">
          <PlainText>{name}</PlainText>
        </h2>
        {environment === "test" && <Badge tone="warn">Test</Badge>}
      </div>
      <p className="mb-6 text-ink-soft">
        Practices: {practices.join(", ") || "none"}. Permissions: {atoms.join(", ")}.
      </p>
      <LatestCalls channel={channel} reader={reader} />
      <Denials channel={channel} reader={reader} />
      <Webhooks channel={channel} reader={reader} />
      <Calls channel={channel} />
      <Payers channel={channel} />
    </div>
  );
}

/** To the second: who builds an agent compares it with a log. */
function At({ at, reader }: { readonly at: Date } & Pick<Look, "reader">) {
  return <TimeText {...timeParts(at, "full", { reader, zone: undefined })} full />;
}

function Calls({ channel: { hours } }: Pick<Look, "channel">) {
  const days = [...Map.groupBy(hours, ({ hour }) => hour.toISOString().slice(0, 10))].toReversed();
  return (
    <Section title="Calls by day" anchor="calls" aside="in UTC; polls that were answered are counted here, too">
      <Table caption="Calls by day" columns={["Day", "Calls", "Denials"]}>
        {days.map(([day, list]) => (
          <Row key={day}>
            <Cell>{day}</Cell>
            <Cell label="Calls">{list.reduce((total, { calls }) => total + calls, 0).toLocaleString("en")}</Cell>
            <Cell label="Denials">{list.reduce((total, { denied }) => total + denied, 0).toLocaleString("en")}</Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
}

function LatestCalls({ channel: { calls }, reader }: Look) {
  return (
    <Section
      title="Latest calls"
      anchor="latest"
      aside="the newest first, a few seconds late; polls that were answered are only counted"
    >
      {calls.length === 0 ? (
        <p className="text-ink-soft">None yet. What it sends, cancels or gets an error for is listed here.</p>
      ) : (
        <Table
          caption="Latest calls, the newest first"
          columns={["When", "Method", "Answer", { name: "Took", align: "end" }, "X-Request-Id"]}
        >
          {calls.map((call) => (
            <CallRow key={call.id} call={call} reader={reader} />
          ))}
        </Table>
      )}
    </Section>
  );
}

type CallProps = { readonly call: OwnChannel["calls"][number] } & Pick<Look, "reader">;

function CallRow({ call: { id, at, method, atom, taskId, code, http, ms }, reader }: CallProps) {
  return (
    <Row>
      <Cell>
        <At at={at} reader={reader} />
      </Cell>
      <Cell label="Method">
        <span className="font-mono text-sm">{method ?? "not served"}</span>
        {method === "message/send" && <span className="block text-sm text-ink-soft">{atom}</span>}
      </Cell>
      <Cell label="Answer">
        {code === undefined ? (
          <code className="font-mono text-sm wrap-anywhere">{taskId}</code>
        ) : (
          <span className="font-semibold text-bad">
            {code}
            {http !== 200 && `, HTTP ${http}`}
          </span>
        )}
      </Cell>
      <Cell label="Took" className="text-end narrow:text-start">
        {ms.toLocaleString("en")}&nbsp;ms
      </Cell>
      <Cell label="X-Request-Id">
        <code className="font-mono text-sm wrap-anywhere">{id}</code>
      </Cell>
    </Row>
  );
}

function Denials({ channel: { denials }, reader }: Look) {
  return (
    <Section title="Denied calls" anchor="denied" aside="as the caller saw them, the newest first">
      {denials.length === 0 ? (
        <p className="text-ink-soft">None of its calls was denied.</p>
      ) : (
        <Table
          caption="Denied calls, the newest first"
          columns={["When", "Error", "HTTP", "Permission", "Key", "X-Request-Id"]}
        >
          {denials.map(({ id, at, code, http, atom, keyId }) => (
            <Row key={id}>
              <Cell>
                <At at={at} reader={reader} />
              </Cell>
              <Cell label="Error">{code}</Cell>
              <Cell label="HTTP">{http}</Cell>
              <Cell label="Permission">{atom}</Cell>
              <Cell label="Key">{keyId !== undefined && <span className="font-mono text-sm">pa_{keyId}_…</span>}</Cell>
              <Cell label="X-Request-Id">
                <code className="font-mono text-sm wrap-anywhere">{id}</code>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Webhooks({ channel: { deliveries }, reader }: Look) {
  return (
    <Section title="Webhooks" anchor="webhooks" aside="the last deliveries">
      {deliveries.length === 0 ? (
        <p className="text-ink-soft">No deliveries.</p>
      ) : (
        <Table
          caption="Last deliveries, the latest first"
          columns={["Change", "Task", "State", "Status", "Last answer"]}
        >
          {deliveries.map((delivery) => (
            <Row key={delivery.id}>
              <Cell>
                <At at={delivery.changedAt} reader={reader} />
              </Cell>
              <Cell label="Task">
                <code className="font-mono text-sm">{delivery.taskId}</code>
              </Cell>
              <Cell label="State">{delivery.state}</Cell>
              <Cell label="Status">{deliveryStatusTexts[delivery.status]}</Cell>
              <Cell label="Last answer">{deliveryResultText(delivery)}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Payers({ channel: { payers } }: Pick<Look, "channel">) {
  return (
    <Section title="Payers" anchor="payers" aside="as the agent card lists them for this channel">
      {payers.length === 0 ? (
        <p className="text-ink-soft">None.</p>
      ) : (
        <Table
          caption="Payers by practice"
          columns={["Payer", "Practice", "Connection", "Supports", "Required beyond the connection"]}
        >
          {payers.map(({ practiceId, id, name, connection, supports, requiredFields }) => (
            <Row key={`${practiceId} ${id}`}>
              <Cell>
                <span className="font-mono text-sm">{id}</span>
                {name !== undefined && (
                  <span className="block text-sm text-ink-soft">
                    <PlainText>{name}</PlainText>
                  </span>
                )}
              </Cell>
              <Cell label="Practice">{practiceId}</Cell>
              <Cell label="Connection">{connection}</Cell>
              <Cell label="Supports">{supports.join(", ") || "a person does the rest"}</Cell>
              <Cell label="Required">
                <span className="font-mono text-sm">{requiredFields.join(" ")}</span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
