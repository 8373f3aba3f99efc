import { Badge, EnvironmentMark } from "#components/list/badge";
import { actionText, outcomeText, stateText } from "#lib/messages/reviewer/case";
import { PlainText } from "#components/text/plain-text";
import { connectorText } from "#lib/messages/connector-text";
import type { CaseView } from "#lib/task/views";
import { ChecksInBrief } from "../request/checks.tsx";
import { isUrgent } from "../request/review-text.ts";
import { ChangesInBrief } from "../request/since-last-time.tsx";

/** What this page is about, in words: the act while one is held or under way, else where the case stands. */
export function CaseHeader({ view }: { readonly view: CaseView }) {
  const { shortId, environment, practice, state, review, gate, checks, changes } = view;
  return (
    <header className="mb-4">
      <h1 className="text-xl font-semibold text-balance wrap-anywhere">
        <Title view={view} />
      </h1>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-ink-soft">
        <EnvironmentMark environment={environment} />
        {isUrgent(review) && <Badge tone="bad">Urgent</Badge>}
        <span>
          Case <span className="font-mono font-semibold text-ink">{shortId}</span>
        </span>
        <span>for {practice.name}</span>
        {gate?.status === "open" && <ChecksInBrief checks={checks} />}
        {changes && <ChangesInBrief changes={changes} />}
        <span className="sr-only">Now: {stateText(state)}</span>
      </p>
    </header>
  );
}

const underWay = ["transmit-held", "transmit-released", "transmitting", "transmit-unconfirmed"];
const voidUnderWay = ["void-held", "void-released", "voiding", "void-unconfirmed"];

function Title({ view }: { readonly view: CaseView }) {
  const { state, gate, payer, connector, environment, determinations } = view;
  const mark = environment === "test" ? "TEST" : "LIVE";
  const to = <PlainText>{payer.name ?? payer.id}</PlainText>;
  if (gate && underWay.includes(state)) {
    return (
      <>
        {actionText(gate) === "Update" ? "Submit an update" : "Submit"} to {to}, {connectorText(connector)}, {mark}
      </>
    );
  }
  if (gate && voidUnderWay.includes(state)) {
    return (
      <>
        Void at {to}, {connectorText(connector)}, {mark}
      </>
    );
  }
  const latest = state === "determined" ? determinations.at(-1) : undefined;
  return (
    <>
      {latest ? `${outcomeText(latest.outcome)} by` : `${stateText(state)}:`} {to}, {mark}
    </>
  );
}
