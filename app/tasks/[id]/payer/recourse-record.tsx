import { PlainText, QuotedText } from "#components/text/plain-text";
import { dayText } from "#lib/messages/labels/instant";
import { Time } from "#components/text/time";
import { peerToPeerOutcomeText, peerToPeerStatusText } from "#lib/messages/reviewer/recourse";
import type { CaseView } from "#lib/task/views";

type RecourseEntry = Extract<CaseView["manualRecords"][number], { kind: "peer-to-peer" | "appeal-terms" | "accepted" }>;

/** One step of contesting a determination, as a reviewer recorded it. */
export function RecourseRecord({ of }: { readonly of: RecourseEntry }) {
  switch (of.kind) {
    case "peer-to-peer":
      return <PeerToPeerStep of={of} />;
    case "appeal-terms":
      return (
        <>
          <p>Appeal deadline recorded{of.by !== undefined && `: ${dayText(of.by)}`}. Evidence:</p>
          <QuotedText>{of.evidence}</QuotedText>
        </>
      );
    case "accepted":
      return (
        <>
          <p>Determination accepted. Reason:</p>
          <QuotedText>{of.reason}</QuotedText>
        </>
      );
  }
}

function PeerToPeerStep({ of }: { readonly of: Extract<RecourseEntry, { kind: "peer-to-peer" }> }) {
  const { status, outcome, clinician, counterpart, note } = of;
  return (
    <>
      <p>
        Peer-to-peer review {peerToPeerStatusText[status]}
        {of.of && (
          <>
            {" "}
            <Time at={of.of} />
          </>
        )}
        {outcome && `: ${peerToPeerOutcomeText[outcome]}`}
        {clinician !== undefined && (
          <>
            , by <PlainText>{clinician}</PlainText>
          </>
        )}
        {counterpart !== undefined && (
          <>
            , with <PlainText>{counterpart}</PlainText>
          </>
        )}
      </p>
      {note !== undefined && <QuotedText>{note}</QuotedText>}
    </>
  );
}
