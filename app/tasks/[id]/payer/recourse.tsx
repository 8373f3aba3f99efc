import type { ReactNode } from "react";
import { Facts } from "#components/list/facts";
import { Section } from "#components/list/section";
import { PlainText } from "#components/text/plain-text";
import { dayText } from "#lib/messages/labels/instant";
import { Time } from "#components/text/time";
import { peerToPeerOutcomeText, peerToPeerStatusText } from "#lib/messages/reviewer/recourse";
import { endOfDay } from "#lib/platform/zoned-time";
import { now } from "#lib/platform/now";
import type { CaseView } from "#lib/task/views";

/** What can still be done about a determination against the request, and what was. */
export function RecourseSection({ view: { recourse, practice, state } }: { readonly view: CaseView }) {
  if (!recourse) return null;
  const { terms, peerToPeer, isOpen, closed } = recourse;
  return (
    <Section title="After the adverse determination" aside={asideOf({ isOpen, closed, state })}>
      <Facts
        list={[
          {
            name: "Appeal by",
            value: terms?.by === undefined ? notRecorded : <Day day={terms.by} zone={practice.timeZone} />,
          },
          terms?.how === undefined ? undefined : { name: "How to appeal", value: <PlainText>{terms.how}</PlainText> },
          { name: "Peer-to-peer", value: peerToPeer ? <Talk of={peerToPeer} /> : "Not requested" },
          {
            name: "Next step",
            value: nextStep(recourse, state),
          },
        ]}
      />
    </Section>
  );
}

const notRecorded = "Not recorded. Take it from the payer's letter.";

function asideOf({
  isOpen,
  closed,
  state,
}: {
  isOpen: boolean;
  closed: boolean | undefined;
  state: CaseView["state"];
}) {
  if (closed) return "accepted";
  return isOpen || state === "determined" ? "can be contested" : "being contested";
}

/** What is next while the determination is being contested. */
const contestSteps: Partial<Readonly<Record<CaseView["state"], string>>> = {
  "transmit-held": "Release the appeal.",
  "transmit-released": "Submit the appeal and record the result.",
  transmitting: "Submit the appeal and record the result.",
  "transmit-unconfirmed": "Ask the payer whether it has the appeal.",
  "needs-information": "The agent sends a new revision.",
  "payer-needs-information": "The agent sends what the payer asks for.",
};

/** What a person does next about a determination against the request. */
export function nextStep(
  { isOpen, closed, peerToPeer }: NonNullable<CaseView["recourse"]>,
  state: CaseView["state"],
): ReactNode {
  if (closed) return "None. The practice accepted the determination.";
  if (!isOpen) return contestSteps[state] ?? "The payer decides again.";
  if (peerToPeer?.status === "requested" || peerToPeer?.status === "scheduled")
    return "Hold the peer-to-peer review and record its outcome.";
  if (peerToPeer?.status === "held" && peerToPeer.outcome !== "upheld") return "Record the payer's new decision.";
  if (peerToPeer?.status === "held")
    return "Have the agent send a reconsideration or an appeal, or accept the determination.";
  return "Request a peer-to-peer review, have the agent send a reconsideration or an appeal, or accept the determination.";
}

/** The day, and whether it has passed. */
function Day({ day, zone }: { readonly day: string; readonly zone: string }) {
  const end = endOfDay(zone, day, 0);
  const isOver = end !== undefined && end < now();
  return isOver ? <span className="font-semibold text-bad">{dayText(day)}, passed</span> : <>{dayText(day)}</>;
}

function Talk({
  of: { status, at, outcome },
}: {
  readonly of: NonNullable<NonNullable<CaseView["recourse"]>["peerToPeer"]>;
}) {
  return (
    <>
      <span className="first-letter:uppercase">{peerToPeerStatusText[status]}</span>
      {at && (
        <>
          {" "}
          <Time at={at} />
        </>
      )}
      {outcome && `: ${peerToPeerOutcomeText[outcome]}`}
    </>
  );
}
