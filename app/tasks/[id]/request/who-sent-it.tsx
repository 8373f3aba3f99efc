import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { Time } from "#components/text/time";
import type { CaseView } from "#lib/task/views";

/** Who sent the revision at hand, with which key and in which message. */
export function WhoSentIt({ view: { sender, revision, practice } }: { readonly view: CaseView }) {
  const { channel, keyId, messageId } = sender;
  return (
    <Section title="Who sent it" aside={`revision ${revision.number}`}>
      <Facts
        list={[
          { name: "Channel", value: <PlainText>{channel}</PlainText> },
          keyId === undefined ? undefined : { name: "Key", value: <code className="font-mono text-sm">{keyId}</code> },
          {
            name: "Message",
            value:
              messageId === undefined ? (
                <span className="text-ink-faint">without an id</span>
              ) : (
                <span className="font-mono text-sm wrap-anywhere">
                  <PlainText>{messageId}</PlainText>
                </span>
              ),
          },
          { name: "Received", value: <Time at={revision.receivedAt} /> },
          { name: "For", value: `${practice.name} (${practice.id})` },
          { name: "Revision digest", value: <Digest value={revision.digest} /> },
        ]}
      />
    </Section>
  );
}
