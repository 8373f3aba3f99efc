import type { ReactNode } from "react";
import { Changes } from "#components/list/changes";
import { Facts } from "#components/list/facts";
import { Tabs, type Tab } from "#components/list/tabs";
import { Digest } from "#components/text/digest";
import { Time, ZoneShown } from "#components/text/time";
import { connectorText } from "#lib/messages/connector-text";
import type { CaseView } from "#lib/task/views";
import { caseAddress, detailTabs, type DetailTab } from "../case-address.ts";
import { ArchivedPart } from "../evidence/archived-part.tsx";
import { Receipts } from "../payer/receipts.tsx";
import { Connection } from "../request/connection.tsx";
import { WhatLeaves } from "../request/what-leaves.tsx";
import { WhoSentIt } from "../request/who-sent-it.tsx";
import { History } from "../team/history.tsx";

type Props = { readonly view: CaseView; readonly chosen: DetailTab; readonly readsAuditLog: boolean };

/** What proves the rest: digests, exact bytes, history, every change, and who sent it. */
export function Details({ view, chosen, readsAuditLog }: Props) {
  const panels: Readonly<Record<DetailTab, ReactNode>> = {
    digests: <Digests view={view} />,
    bytes: <Bytes view={view} />,
    history: <History view={view} readsAuditLog={readsAuditLog} />,
    changes: <AllChanges view={view} />,
    sender: <WhoSentIt view={view} />,
    connection: <Connection view={view} />,
  };
  const tabs = detailTabs.map((id): Tab => ({
    id,
    name: names[id],
    count: id === "changes" ? (view.changes?.list.length ?? 0) : undefined,
    href: caseAddress(view.taskId, { tab: "details", detail: id }),
    panel: <div className="p-4">{panels[id]}</div>,
  }));
  return <Tabs label="Details" tabs={tabs} chosen={chosen} />;
}

const names: Readonly<Record<DetailTab, string>> = {
  digests: "Digests",
  bytes: "Exact bytes",
  history: "History",
  changes: "Changes",
  sender: "Sender",
  connection: "Connection",
};

function Digests({ view }: { readonly view: CaseView }) {
  const { taskId, shortId, gate, revision, connector, submissions } = view;
  return (
    <>
      <Facts
        list={[
          { name: "Case", value: <Code>{shortId}</Code> },
          { name: "Case ID", value: <Code>{taskId}</Code> },
          { name: "Revision", value: `${revision.number}` },
          { name: "Received", value: <Time at={revision.receivedAt} as="full" /> },
          { name: "Revision digest", value: <Digest value={revision.digest} /> },
          gate && { name: "Gate ID", value: <Code>{gate.id}</Code> },
          gate && { name: "Gate digest", value: <Digest value={gate.digest} /> },
          ...(gate?.documentDigests ?? []).map((documentDigest, index, { length }) => ({
            name: length > 1 ? `Document digest ${index + 1}` : "Document digest",
            value: <Digest value={documentDigest} />,
          })),
          gate && { name: "Gate opened", value: <Time at={gate.openedAt} as="full" /> },
          gate?.status === "open" ? { name: "Expires", value: <Time at={gate.expiresAt} as="full" /> } : undefined,
          { name: "Connection type", value: connectorText(connector) },
          { name: "Times", value: <ZoneShown /> },
        ]}
      />
      {submissions.length > 0 && (
        <div className="mt-6 border-t border-line pt-6">
          <Receipts list={submissions} />
        </div>
      )}
    </>
  );
}

function Bytes({ view: { taskId, gate, attachments, unread } }: { readonly view: CaseView }) {
  if (unread.calls)
    return <ArchivedPart failure={unread.calls} href={caseAddress(taskId, { tab: "details", detail: "bytes" })} />;
  if (!gate || gate.calls.length === 0) return <p className="text-ink-soft">Nothing was prepared for submission.</p>;
  return <WhatLeaves gate={gate} files={gate.action === "void" ? 0 : attachments.length} />;
}

function AllChanges({ view: { changes } }: { readonly view: CaseView }) {
  if (!changes) return <p className="text-ink-soft">No reviewer has decided on an earlier revision.</p>;
  const { sinceRevision, list } = changes;
  if (list.length === 0)
    return (
      <p className="text-ink-soft">Nothing in the request or its documents changed since revision {sinceRevision}.</p>
    );
  return (
    <>
      <p className="mb-3 text-ink-soft">Since revision {sinceRevision}, the last one a reviewer decided on.</p>
      <Changes list={list} caption={`Changes since revision ${sinceRevision}`} />
    </>
  );
}

function Code({ children }: { readonly children: string }) {
  return <code className="font-mono text-sm wrap-anywhere">{children}</code>;
}
