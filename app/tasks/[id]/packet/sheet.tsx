import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { Paper } from "#components/paper/paper";
import { ExactText, PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { Packet, PacketLine, PacketSection } from "#lib/submission/read-packet";
import { LineTable } from "./line-table.tsx";
import { Value } from "./value.tsx";

/** The sheet on paper. Its words are the released ones; only the running head and the proof at the end are added. */
export function Sheet({ packet }: { readonly packet: Packet }) {
  const { sections, text, environment } = packet;
  const [head, ...rest] = sections ?? [];
  const traceNumber = head?.lines.find(([label]) => label === "Trace number")?.[1];
  return (
    <Paper
      isTest={environment === "test"}
      head={
        traceNumber !== undefined && (
          <>
            Trace number <PlainText>{traceNumber}</PlainText>
          </>
        )
      }
    >
      {head ? (
        <>
          <Head section={head} isTest={environment === "test"} />
          <div className="grid gap-x-8 sm:grid-cols-2">
            {inGroups(rest).map(({ kind, sections }) => (
              <Group key={kind} kind={kind} sections={sections} />
            ))}
          </div>
        </>
      ) : (
        <ExactText label="The packet as released">{text}</ExactText>
      )}
      <Proof packet={packet} />
    </Paper>
  );
}

function Head({ section, isTest }: { readonly section: PacketSection; readonly isTest: boolean }) {
  return (
    <header className="mb-5">
      <h1 className="mb-3 text-xl font-semibold text-balance">
        {section.title}
        {isTest && <span className="sr-only"> (test)</span>}
      </h1>
      <Lines list={section.lines} />
    </header>
  );
}

/** Kinds whose numbered sections are the rows of one table; every other section stands on its own. */
const tables: Readonly<Record<string, string>> = {
  Service: "Services",
  Diagnosis: "Diagnoses",
  Attachment: "Attachments",
};

function inGroups(sections: readonly PacketSection[]) {
  const kindOf = (title: string) => tables[title.replace(/ \d+$/, "")] ?? title;
  return [...Map.groupBy(sections, ({ title }) => kindOf(title))].map(([kind, list]) => ({ kind, sections: list }));
}

function Group({ kind, sections }: { readonly kind: string; readonly sections: readonly PacketSection[] }) {
  const isTable = Object.values(tables).includes(kind);
  const isWide = isTable || kind === "Notes";
  return (
    <section className={`border-t border-line py-3 print:py-2 ${isWide ? "col-span-full" : "break-inside-avoid-page"}`}>
      <h2 className="mb-1.5 break-after-avoid font-semibold">{kind}</h2>
      {isTable ? (
        <LineTable caption={kind} sections={sections} />
      ) : (
        sections.map(({ lines }, index) => <Lines key={index} list={lines} />)
      )}
    </section>
  );
}

function Lines({ list }: { readonly list: readonly PacketLine[] }) {
  return <Facts list={list.map(([name, value]) => ({ name, value: <Value>{value}</Value> }))} />;
}

/** What names the released bytes, so that the sheet can be held against the record. */
function Proof({ packet: { releasedAt, bytes, documentDigest, gateDigest } }: { readonly packet: Packet }) {
  return (
    <footer className="mt-2 break-inside-avoid-page border-t border-line-strong pt-3 text-sm">
      <h2 className="mb-1.5 font-semibold">Proof of release</h2>
      <Facts
        list={[
          { name: "Released", value: <Time at={releasedAt} /> },
          { name: "Text", value: `${bytes.toLocaleString("en-US")} bytes` },
          { name: "Text digest", value: <Digest value={documentDigest} /> },
          { name: "Gate digest", value: <Digest value={gateDigest} /> },
        ]}
      />
    </footer>
  );
}
