import { Facts } from "#components/list/facts";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { whyConnection } from "#lib/messages/reviewer/connection";
import { connectorText } from "#lib/messages/connector-text";
import type { CaseView } from "#lib/task/views";

/** Over which payer connection the request goes, and why it is this one. */
export function Connection({ view }: { readonly view: CaseView }) {
  const { connection, connector, payer } = view;
  const name = connection.payerName ?? (connection.payerId === payer.id ? payer.name : undefined);
  return (
    <Section title="Why this connection">
      <Facts
        list={[
          {
            name: "Goes to",
            value: <PlainText>{name === undefined ? connection.payerId : `${name} (${connection.payerId})`}</PlainText>,
          },
          connection.payerId === payer.id
            ? undefined
            : { name: "Reviews for", value: <PlainText>{payer.name ?? payer.id}</PlainText> },
          { name: "Connection type", value: connectorText(connector) },
          { name: "Why", value: <PlainText>{whyConnection(view)}</PlainText> },
        ]}
      />
    </Section>
  );
}
