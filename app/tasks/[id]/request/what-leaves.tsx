import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { ExactText, PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { GateView, WireCall } from "#lib/task/views";

const titles: Readonly<Record<string, string>> = { open: "What will be submitted", released: "What was released" };

/** The exact bytes of this gate, and the digests that name them. */
export function WhatLeaves({ gate }: { readonly gate: GateView }) {
  const { calls, digest, manual, status } = gate;
  return (
    <Section
      title={titles[status] ?? "What was prepared"}
      aside={
        manual ? "manual submission" : calls.length === 1 ? "one request" : `${calls.length} requests, in this order`
      }
    >
      <div className="grid gap-6">
        {calls.map((call, index) => (
          <Call key={index} call={call} index={index} manual={manual} />
        ))}
        <Facts list={[{ name: "Gate digest", value: <Digest value={digest} /> }]} />
      </div>
    </Section>
  );
}

type CallProps = { readonly call: WireCall; readonly index: number; readonly manual: boolean };

function Call({ call, index, manual }: CallProps) {
  const { method, url, contentType, text, files, bytes, documentDigest } = call;
  const indented = manual ? undefined : indentedJson(text);
  return (
    <div className="grid gap-2.5">
      {!manual && (
        <p className="font-mono text-sm wrap-anywhere">
          <strong>{method}</strong> <PlainText>{url}</PlainText>
        </p>
      )}
      {bytes > 0 && (
        <div className={manual ? undefined : "print:hidden"}>
          <ExactText label={`Exact bytes of document ${index + 1}`}>{text}</ExactText>
        </div>
      )}
      <Facts
        list={[
          {
            name: "Content",
            value: bytes > 0 ? `${bytes.toLocaleString("en-US")} bytes of ${contentType}` : "No body",
          },
          { name: "Document digest", value: <Digest value={documentDigest} /> },
          files > 0
            ? { name: "Files in it", value: `${files}, shown above by their length and SHA-256; all else is exact` }
            : undefined,
        ]}
      />
      {indented !== undefined && (
        <details className="print:hidden">
          <summary className="text-ink-soft hover:text-ink">The same, indented for reading</summary>
          <div className="mt-2">
            <ExactText label={`Document ${index + 1}, indented for reading`}>{indented}</ExactText>
          </div>
        </details>
      )}
    </div>
  );
}

/** Undefined where the bytes are no JSON, or are indented as they are. */
function indentedJson(text: string): string | undefined {
  try {
    const indented = JSON.stringify(JSON.parse(text), null, 2);
    return indented === text.trimEnd() ? undefined : indented;
  } catch {
    return undefined;
  }
}
