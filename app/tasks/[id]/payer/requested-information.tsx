import { Section } from "#components/list/section";
import { dayText } from "#lib/messages/labels/instant";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { InformationRequest, RequestedItem } from "#lib/task/model/information-request";

/** What the payer asks for before it decides: item by item, and by when. */
export function RequestedInformation({ of: { text, items, dueBy } }: { readonly of: InformationRequest }) {
  return (
    <Section title="Information the payer requested" aside={dueBy === undefined ? undefined : <DueBy at={dueBy} />}>
      <div className="grid gap-3">
        <QuotedText>{text}</QuotedText>
        <RequestedItems list={items} />
      </div>
    </Section>
  );
}

/** What it asks for one by one, where it says so. */
export function RequestedItems({ list }: { readonly list: readonly RequestedItem[] }) {
  if (list.length === 0) return null;
  return (
    <ul className="grid list-disc gap-1 ps-5">
      {list.map((item, index) => (
        <li key={index}>
          <Item of={item} />
        </li>
      ))}
    </ul>
  );
}

/** A calendar day, or an instant. */
export function DueBy({ at }: { readonly at: string }) {
  return <>Due {at.includes("T") ? <Time at={new Date(at)} /> : dayText(at)}</>;
}

function Item({ of: { kind, code, label, line } }: { readonly of: RequestedItem }) {
  return (
    <>
      {label === undefined ? kind === "document" ? "A document" : "An answer" : <PlainText>{label}</PlainText>}
      {code && (
        <span className="font-mono text-sm text-ink-faint">
          {" "}
          {code.system.toUpperCase()} <PlainText>{code.value}</PlainText>
        </span>
      )}
      {line !== undefined && <span className="text-ink-faint">, for service {line}</span>}
    </>
  );
}
