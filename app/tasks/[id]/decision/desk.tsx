import type { ReactNode } from "react";
import { ButtonLink } from "#components/form/button";
import { ShortDigest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { Button } from "#components/form/plain-button";
import { PlainText } from "#components/text/plain-text";
import { Time, ZoneShown } from "#components/text/time";
import { connectorText } from "#lib/messages/connector-text";
import type { CaseView, GateView, Possible } from "#lib/task/views";
import { Blocked } from "../request/checks.tsx";
import { ClaimWarning } from "../team/claim.tsx";
import { DeterminationForm } from "./determination-form.tsx";
import { AdoptForm, AttendForm, DeclineForm, ReleaseForm, SendBackForm, TakeBackForm } from "./gate-forms.tsx";
import { StartSubmissionForm, NotSentForm, RefusedForm, SentForm, SettleForm } from "./hand-forms.tsx";
import { fieldOptions, type FieldOption } from "#lib/messages/reviewer/fields";
import { AskedLastTime } from "../request/since-last-time.tsx";
import { VotesSoFar, whyShut } from "./votes-so-far.tsx";
import { AcceptForm, AppealTermsForm, PeerToPeerForm } from "./recourse-forms.tsx";
import { VoidedForm, VoidRefusedForm, WantsForm } from "./payer-forms.tsx";

type Of = { readonly fields: readonly FieldOption[] };

/** The forms that stand open, in the order they stand. */
const open: readonly { readonly possible: Possible; readonly Form: (of: Of) => ReactNode }[] = [
  { possible: "adopt", Form: AdoptForm },
  { possible: "start-manual-submission", Form: StartSubmissionForm },
  { possible: "report-sent", Form: SentForm },
  { possible: "report-refused", Form: RefusedForm },
  { possible: "report-not-sent", Form: NotSentForm },
  { possible: "resolve-unconfirmed", Form: SettleForm },
  { possible: "withdraw-vote", Form: TakeBackForm },
  { possible: "decline", Form: DeclineForm },
  { possible: "request-information", Form: SendBackForm },
  { possible: "attend", Form: AttendForm },
];

/** What a person may record about the payer at most times, and seldom does. */
const folded: readonly { readonly possible: Possible; readonly title: string; readonly Form: () => ReactNode }[] = [
  { possible: "record-peer-to-peer", title: "Record a peer-to-peer review", Form: PeerToPeerForm },
  { possible: "record-appeal-terms", title: "Record the appeal deadline", Form: AppealTermsForm },
  { possible: "accept-determination", title: "Accept the determination", Form: AcceptForm },
  { possible: "record-determination", title: "Record the payer's decision", Form: DeterminationForm },
  { possible: "record-information-request", title: "Record an information request", Form: WantsForm },
  { possible: "record-void-refused", title: "Record that the payer refused the void", Form: VoidRefusedForm },
  { possible: "record-voided", title: "Record that the payer voided it", Form: VoidedForm },
];

/** Beside the sheet: what can be done with the case, and what it is exactly. */
export function Desk({ view }: { readonly view: CaseView }) {
  const { can, gate } = view;
  const records = folded.filter(({ possible }) => can.includes(possible));
  return (
    <aside
      id="decision"
      tabIndex={-1}
      aria-label="Decision"
      className="outline-none print:hidden max-lg:border-t max-lg:border-line max-lg:pt-4 max-lg:pb-6 lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <div className="grid gap-5 lg:sticky lg:top-[calc(1.5rem+var(--banner))] lg:-me-2 lg:max-h-[calc(100dvh-3rem-var(--banner))] lg:overflow-y-auto lg:p-2">
        {view.changes && <AskedLastTime changes={view.changes} />}
        <Blocked checks={view.checks} />
        {can.length > 0 && <ClaimWarning />}
        {gate?.status === "open" && <Release view={view} gate={gate} />}
        {gate?.manual && gate.status === "released" && (
          <ButtonLink href={`/tasks/${view.taskId}/packet`} wide>
            Open the packet to print
          </ButtonLink>
        )}
        {open
          .filter(({ possible }) => can.includes(possible))
          .map(({ possible, Form }) => (
            <Form key={possible} fields={fieldOptions(view.review)} />
          ))}
        {records.map(({ possible, title, Form }) => (
          <details key={possible} open={isAwaited(view) && possible === "record-determination"}>
            <summary className="font-semibold">{title}</summary>
            <div className="mt-3">
              <Form />
            </div>
          </details>
        ))}
        <CaseFacts view={view} />
      </div>
    </aside>
  );
}

/** Only a person can learn what this payer decides, and it is the payer's turn. */
function isAwaited({ connector, attention, state }: CaseView): boolean {
  return (connector === "manual" && state === "transmitted") || attention === "contact-payer";
}

function Release({ view, gate }: { readonly view: CaseView; readonly gate: GateView }) {
  const { can, voting, attachments } = view;
  const shut = voting && whyShut(voting);
  if (!can.includes("release") && shut === undefined) return null;
  return (
    <div className="grid gap-2">
      {shut === undefined ? (
        <ReleaseForm asksProof={voting?.asksProof} />
      ) : (
        <Button type="button" tone="release" wide aria-disabled aria-describedby="release-shut">
          Release
        </Button>
      )}
      {shut !== undefined && <p id="release-shut">{shut}</p>}
      {voting && <VotesSoFar voting={voting} />}
      <p className="text-sm text-ink-soft">
        {voting && voting.needed > 1 && "It is submitted after the last release. "}
        <WhatReleaseDoes gate={gate} files={gate.action === "void" ? 0 : attachments.length} />
      </p>
    </div>
  );
}

function WhatReleaseDoes({ gate, files }: { readonly gate: GateView; readonly files: number }) {
  const bytes = gate.calls.reduce((sum, call) => sum + call.bytes, 0).toLocaleString("en-US");
  const digest = <ShortDigest value={gate.digest} />;
  if (gate.manual) {
    return (
      <>
        Releases this for manual submission: {bytes} bytes
        {files > 0 && (files === 1 ? " and one attachment" : ` and ${files} attachments`)}, digest {digest}.
      </>
    );
  }
  const requests = gate.calls.length === 1 ? "one request" : `${gate.calls.length} requests`;
  return (
    <>
      Submits {requests}, {bytes} bytes, exactly as shown. Digest {digest}.
    </>
  );
}

function CaseFacts({ view }: { readonly view: CaseView }) {
  const { revision, gate, reference, payer, connector } = view;
  return (
    <div className="border-line text-sm not-first:border-t not-first:pt-4">
      <Facts
        slim
        list={[
          { name: "Times", value: <ZoneShown /> },
          { name: "Payer", value: <PlainText>{payer.name ? `${payer.name} (${payer.id})` : payer.id}</PlainText> },
          { name: "Connection type", value: connectorText(connector) },
          reference === undefined ? undefined : { name: "Reference", value: <PlainText>{reference}</PlainText> },
          { name: "Revision", value: <RevisionOf number={revision.number} at={revision.receivedAt} /> },
          gate?.status === "open" ? { name: "Gate opened", value: <Time at={gate.openedAt} /> } : undefined,
          gate?.status === "open" ? { name: "Expires", value: <Time at={gate.expiresAt} /> } : undefined,
        ]}
      />
    </div>
  );
}

function RevisionOf({ number, at }: { readonly number: number; readonly at: Date }) {
  return (
    <>
      {number}, received <Time at={at} />
    </>
  );
}
