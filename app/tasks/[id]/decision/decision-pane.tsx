import type { ReactNode } from "react";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { dayText } from "#lib/messages/labels/instant";
import { Time } from "#components/text/time";
import { Button } from "#components/form/plain-button";
import { isAuthorizing } from "#lib/task/model/determination";
import type { Remark } from "#lib/task/model/task";
import type { CaseView, GateView, Possible } from "#lib/task/views";
import { receiverOf } from "#lib/messages/reviewer/connection";
import { afterReleaseText, releaseText, voidLossText } from "#lib/messages/reviewer/decision";
import { fieldOptions, fieldText } from "#lib/messages/reviewer/fields";
import { inquiryResults } from "#lib/messages/reviewer/unconfirmed";
import { Notice } from "#components/shell/notice";
import { caseAddress } from "../case-address.ts";
import { Choice, type Answer, type Choosable } from "./choice.tsx";
import { DecisionAlert } from "./decision.tsx";
import { DecisionChecks } from "./decision-checks.tsx";
import { AdoptForm, AttendForm, DeclineForm, ReleaseForm, SendBackForm, TakeBackForm } from "./gate-forms.tsx";
import { ManualSteps } from "./manual-steps.tsx";
import { OutcomePanel } from "./outcome-panel.tsx";
import { RecordForms } from "./record-forms.tsx";
import { ResolveUnconfirmedForm } from "./manual-forms.tsx";
import { Timeline } from "./timeline.tsx";
import { caseOfSameNumber, SameNumber } from "../team/same-number.tsx";
import { VotesSoFar, whyShut } from "./votes-so-far.tsx";

/** What can be done with the case, and before it what a person should know to do it. */
export function DecisionPane({ view, editing }: { readonly view: CaseView; readonly editing: boolean }) {
  const { can, gate, voting, changes } = view;
  const isOpen = gate?.status === "open";
  return (
    <section
      id="decision"
      aria-labelledby="decision-title"
      tabIndex={-1}
      className="scroll-mt-16 bg-sunken outline-none max-lg:border-t max-lg:border-line lg:h-full lg:border-s lg:border-line print:border-t print:bg-transparent"
    >
      <div className="lg:sticky lg:top-(--banner) lg:max-h-[calc(100dvh-var(--banner))] lg:overflow-y-auto xl:static xl:h-full xl:max-h-none">
        <h2
          id="decision-title"
          className="flex min-h-10 items-center border-b border-line px-4 font-semibold max-xl:bg-sunken print:min-h-0 print:bg-transparent print:px-0 print:py-1"
        >
          {isOpen ? "Decision" : "Status"}
        </h2>
        <div className="grid gap-4 p-4 print:block print:px-0 print:*:mb-3">
          <OnScreen>
            <DecisionAlert />
          </OnScreen>
          <LastRemark view={view} />
          {changes && <LastQuestion taskId={view.taskId} changes={changes} />}
          <OnScreen>
            {can.includes("adopt") && <AdoptForm />}
            {isOpen && (editing ? <NotWhileEditing /> : <AtGate view={view} gate={gate} />)}
            {isOpen && can.includes("withdraw-vote") && <TakeBackForm />}
          </OnScreen>
          {isOpen && voting && <VotesSoFar voting={voting} />}
          {!isOpen && <OutcomePanel view={view} />}
          <OnScreen>
            <ManualSteps view={view} />
            {can.includes("resolve-unconfirmed") && (
              <div role="group" aria-label={inquiryResults[gate?.action ?? "transmit"].title}>
                <ResolveUnconfirmedForm action={gate?.action ?? "transmit"} />
              </div>
            )}
            {can.includes("attend") && <AttendForm />}
            <RecordForms view={view} />
          </OnScreen>
          <Timeline view={view} />
        </div>
      </div>
    </section>
  );
}

/** In place of the answers: a release here would submit the request without what is being corrected. */
function NotWhileEditing() {
  return (
    <p className="text-ink-soft">
      Save or cancel your correction first. What is released is the request as it is saved.
    </p>
  );
}

/** What somebody does here, which paper does not have. */
function OnScreen({ children }: { readonly children: ReactNode }) {
  return <div className="contents print:hidden">{children}</div>;
}

type GateProps = { readonly view: CaseView; readonly gate: GateView };

/** The three answers to an open gate, with what speaks for and against. */
function AtGate({ view, gate }: GateProps) {
  const { can, voting, checks, review } = view;
  const shut = voting && whyShut(voting);
  const offered: readonly (Choosable & { readonly possible: Possible })[] = [
    {
      ...{ possible: "release", answer: "release", name: gate.action === "void" ? "Void" : "Release", shortcut: "r" },
      form: (
        <div className="grid gap-4">
          {gate.action === "void" && <VoidLoss view={view} />}
          <Release view={view} gate={gate} shut={shut} />
        </div>
      ),
    },
    {
      ...{ possible: "request-information", answer: "request-information", name: "Request information", shortcut: "i" },
      form: <SendBackForm fields={fieldOptions(review)} suspected={suspectedFields(view)} />,
    },
    {
      ...{ possible: "decline", answer: "decline", name: "Decline", shortcut: "d" },
      form: <DeclineForm name={gate.action === "void" ? "Decline the void" : "Decline request"} />,
    },
  ];
  const answers = offered.filter(({ possible }) => can.includes(possible) || possible === "release");
  return (
    <Choice answers={answers} first={firstAnswer(view)}>
      {(checks.length > 0 || gate.action !== "void") && (
        <DecisionChecks view={view} canRelease={can.includes("release")} />
      )}
    </Choice>
  );
}

/** What most cases like this get: a release, or where it can't be given, a question. */
function firstAnswer({ can, checks }: CaseView): Answer {
  const isBlocked = checks.some(({ level }) => level === "block");
  return isBlocked && can.includes("request-information") ? "request-information" : "release";
}

/** The fields a question may be about that a check which blocks found something wrong with. */
function suspectedFields({ checks, review }: CaseView): readonly string[] {
  const paths = checks.filter(({ level }) => level === "block").flatMap((check) => check.paths);
  return fieldOptions(review)
    .map(({ pointer }) => pointer)
    .filter((pointer) => paths.some((path) => path === pointer || path.startsWith(`${pointer}/`)));
}

function Release({ view, gate, shut }: GateProps & { readonly shut: string | undefined }) {
  const { can, voting, environment, recallWindowS } = view;
  const isBlocked = view.checks.some(({ level }) => level === "block");
  const about = releaseOf(view, gate);
  if (!can.includes("release")) {
    return (
      <div className="grid gap-2">
        <Button
          type="button"
          tone={gate.action === "void" ? "void" : "release"}
          wide
          large
          aria-disabled
          aria-describedby="release-shut"
        >
          {releaseText(about)}
        </Button>
        <p id="release-shut">{shut ?? (isBlocked ? "A check above blocks it." : "It can't be released now.")}</p>
      </div>
    );
  }
  return (
    <div className="grid gap-2">
      <ReleaseForm
        name={releaseText(about)}
        isVoid={gate.action === "void"}
        isTest={environment === "test"}
        asksProof={voting?.asksProof}
      />
      <p className="text-sm text-ink-soft">
        {voting && voting.needed > 1 && `It takes ${voting.needed} reviewers. After the last one: `}
        {afterReleaseText(about, recallWindowS)}
      </p>
    </div>
  );
}

function releaseOf(view: CaseView, { action, update, manual }: GateView) {
  const authorizationNumber = action === "void" ? view.determinations.at(-1)?.authorizationNumber : undefined;
  const { name, reviewsFor } = receiverOf(view);
  return { action, update, manual, payer: name, reviewsFor, appeal: view.review.appeal?.type, authorizationNumber };
}

/** The services that a determination authorizes, at least in part. */
function authorizedCodes({ lines }: CaseView["determinations"][number]): readonly string[] {
  return lines
    .filter(({ action }) => isAuthorizing(action))
    .flatMap(({ authorized, requested }) => authorized?.code ?? requested?.code ?? []);
}

/** What the void takes from the patient. */
function VoidLoss({ view: { determinations, requested } }: { readonly view: CaseView }) {
  const inForce = determinations.findLast(({ standing }) => standing === "in-force");
  const authorized = inForce && authorizedCodes(inForce);
  const codes = authorized?.length ? authorized : requested.lines.flatMap(({ code }) => code ?? []);
  const { title, text } = voidLossText(
    inForce && {
      outcome: inForce.outcome,
      codes: new Intl.ListFormat("en").format([...new Set(codes)]),
      until: inForce.validTo === undefined ? undefined : dayText(inForce.validTo),
    },
  );
  return (
    <Notice tone="bad" title={title}>
      <PlainText>{text}</PlainText>
    </Notice>
  );
}

const speakers: Readonly<Record<Remark["by"], string>> = {
  agent: "Written by the agent",
  reviewer: "Written by a reviewer",
  payer: "From the payer's answer",
  service: "Why it needs attention again",
};

/** What was last said about the case, unless it stands on the page already. */
function LastRemark({ view }: { readonly view: CaseView }): ReactNode {
  const { remark, gate, informationRequest, determinations, changes } = view;
  if (!remark) return null;
  const elsewhere = [
    informationRequest?.text,
    changes?.question?.text,
    ...determinations.flatMap(({ notes }) => notes),
  ];
  if (elsewhere.includes(remark.text)) return null;
  const sameNumber = caseOfSameNumber(view);
  return (
    <div>
      <p className="mb-1 text-sm text-ink-faint">
        {speakers[remark.by]}
        {remark.by === "agent" && gate?.action === "void" && ", reason for the void"}
      </p>
      <QuotedText>{remark.text}</QuotedText>
      {sameNumber !== undefined && <SameNumber taskId={sameNumber} />}
    </div>
  );
}

type LastQuestionProps = { readonly taskId: string; readonly changes: NonNullable<CaseView["changes"]> };

/** What a person asked the agent, and what it answered in words. */
function LastQuestion({ taskId, changes }: LastQuestionProps) {
  const { question, answer, moreAnswer, list, sinceRevision } = changes;
  if (!question) return null;
  return (
    <section aria-label="Your last question" className="grid gap-1.5 rounded-md border border-line bg-surface p-3">
      <p className="text-sm text-ink-faint">
        <PlainText>{question.by}</PlainText> asked, <Time at={question.at} />
      </p>
      <QuotedText>{question.text}</QuotedText>
      {question.fields.length > 0 && (
        <p className="text-sm text-ink-soft">About: {question.fields.map(fieldText).join(", ")}</p>
      )}
      <p className="mt-2 text-sm text-ink-faint">The agent answered</p>
      {moreAnswer && <p className="text-ink-soft">Older messages are under Notes.</p>}
      {answer.map((note, index) => (
        <QuotedText key={index}>{note}</QuotedText>
      ))}
      {answer.length === 0 && <p className="text-ink-soft">No note.</p>}
      <p className="text-sm">
        {list.length === 0 && `Nothing changed since revision ${sinceRevision}.`}
        {list.length > 0 && (
          <a href={caseAddress(taskId, { tab: "details", detail: "changes" })} className="underline">
            {list.length === 1 ? "1 change" : `${list.length} changes`} since revision {sinceRevision}
          </a>
        )}
      </p>
    </section>
  );
}
