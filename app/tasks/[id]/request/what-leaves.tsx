import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { ExactText, PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { GateView, WireCall } from "#lib/task/views";

const titles: Readonly<Record<string, string>> = { open: "What will be submitted", released: "What was released" };

type Props = {
  readonly gate: GateView;
  /** How many documents of the case go with it. */
  readonly files: number;
};

/** The exact bytes of this gate, and the digests that name them. */
export function WhatLeaves({ gate, files }: Props) {
  const { calls, digest, manual, status } = gate;
  const requests = calls.length === 1 ? "One request" : `${calls.length} requests, in this order`;
  return (
    <Section title={titles[status] ?? "What was prepared"} aside={manual ? "Manual submission" : requests}>
      <div className="grid gap-6">
        {calls.map((call, index) => (
          <Call key={index} call={call} index={index} manual={manual} />
        ))}
        <Facts
          list={[
            { name: "Gate digest", value: <Digest value={digest} /> },
            manual && files > 0 ? { name: "Documents", value: `${files}, submitted with it` } : undefined,
          ]}
        />
      </div>
    </Section>
  );
}

type CallProps = { readonly call: WireCall; readonly index: number; readonly manual: boolean };

function Call({ call, index, manual }: CallProps) {
  const { method, url, contentType, text, bytes, documentDigest } = call;
  const indented = manual ? undefined : indentedJson(text);
  return (
    <div className="grid gap-2">
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
          call.files > 0 ? { name: "Documents in it", value: filesText(call) } : undefined,
        ]}
      />
      {indented !== undefined && (
        <details className="print:hidden">
          <summary className="text-ink-soft hover:text-ink">Indented for reading</summary>
          <div className="mt-2">
            <ExactText label={`Document ${index + 1}, indented for reading`}>{indented}</ExactText>
          </div>
        </details>
      )}
    </div>
  );
}

function filesText({ files, shortened }: WireCall): string {
  if (shortened === 0) return `${files}`;
  const shown = shortened === files ? "shown" : `${shortened} of them shown`;
  return `${files}, ${shown} above by length and SHA-256. All else is exact.`;
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
