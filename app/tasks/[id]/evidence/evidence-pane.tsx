import { Tabs, type Tab } from "#components/list/tabs";
import { savedName } from "#lib/task/model/file-name";
import type { DeskView } from "#lib/queue/open-case";
import type { CaseView } from "#lib/task/views";
import { caseAddress, caseTabs, type CaseAddress, type CaseTab } from "../case-address.ts";
import { Details } from "../details/details.tsx";
import { needsReading } from "../payer/payer-answers.tsx";
import { PayerPart } from "../payer/payer-part.tsx";
import { Documents, type ShownFile } from "./documents.tsx";
import { EarlierCases } from "./earlier-cases.tsx";
import { Notes } from "./notes.tsx";
import { typeTexts } from "./document-kinds.ts";

type Props = {
  readonly view: CaseView;
  readonly desk: Pick<DeskView, "notes" | "noteId" | "unitsUsed">;
  readonly address: CaseAddress;
  /** The reader may read the practice's audit log. */
  readonly readsAuditLog: boolean;
};

/** What a decision rests on, one part at a time, and behind all of it the exact details. */
export function EvidencePane({ view, desk, address, readsAuditLog }: Props) {
  const chosen = address.tab ?? firstTab(view);
  const panels = {
    documents: <Documents files={filesOf(view)} chosen={address.doc} />,
    notes: <Notes view={view} desk={desk} areAllShown={address.notes === "all"} />,
    cases: <EarlierCases view={view} />,
    payer: <PayerPart view={view} unitsUsed={desk.unitsUsed} />,
    details: <Details view={view} chosen={address.detail ?? "digests"} readsAuditLog={readsAuditLog} />,
  } as const satisfies Record<CaseTab, unknown>;
  const tabs = caseTabs.map((id, index): Tab => ({
    id,
    name: names[id],
    count: countOf(id, view, desk),
    calls: id === "payer" && needsReading(view) && view.answers.length > 0,
    href: caseAddress(view.taskId, { ...address, tab: id }),
    shortcut: `${index + 1}`,
    fills: id === "documents" && view.attachments.length > 0,
    panel: panels[id],
  }));
  return <Tabs label="Evidence" tabs={tabs} chosen={chosen} inPane />;
}

const names: Readonly<Record<CaseTab, string>> = {
  documents: "Documents",
  notes: "Notes",
  cases: "Earlier cases",
  payer: "Payer",
  details: "Details",
};

/** What a person looks at first: the payer's word where there is one, else the documents, else what was written. */
function firstTab(view: CaseView): CaseTab {
  const { determinations, informationRequest, attachments, notes, review, state } = view;
  const isAtGate = state === "transmit-held" || state === "void-held";
  if (!isAtGate && (determinations.length > 0 || informationRequest || needsReading(view))) return "payer";
  if (attachments.length > 0) return "documents";
  return notes.length > 0 || (review.providerNotes ?? []).length > 0 ? "notes" : "documents";
}

/** None where the archive did not give all that would be counted. */
function countOf(id: CaseTab, view: CaseView, desk: Props["desk"]): number | undefined {
  switch (id) {
    case "documents":
      return view.attachments.length;
    case "notes":
      if (view.unread.notes) return undefined;
      return (view.review.providerNotes ?? []).length + view.notes.length + desk.notes.length;
    case "cases":
      return view.memberCases.list.length;
    case "payer":
      return view.unread.records ? undefined : view.answers.length + view.manualRecords.length;
    case "details":
      return undefined;
  }
}

function filesOf({ taskId, attachments }: CaseView): readonly ShownFile[] {
  return attachments.map((file) => ({
    sha256: file.sha256,
    name: file.name ?? `${typeTexts[file.contentType]} without a name`,
    contentType: file.contentType,
    size: file.size,
    since: file.since,
    isNew: file.isNew,
    href: `/tasks/${taskId}/attachments/${file.sha256}`,
    savedAs: savedName(file),
    openedAt: caseAddress(taskId, { tab: "documents", doc: file.sha256 }),
  }));
}
