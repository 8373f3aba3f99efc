import type { ReactNode } from "react";
import { attentionText, expiredText, payerStepText } from "#lib/messages/reviewer/case";
import { missingSentence } from "#lib/messages/reviewer/fields";
import { unconfirmedText } from "#lib/messages/reviewer/unconfirmed";
import { manualWaitText, manualWorkText } from "#lib/messages/reviewer/manual";
import { Badge, type Tone } from "#components/list/badge";
import { classNames } from "#components/shell/class-names";
import {
  attentionBadge,
  clockedStateBadge,
  isPayerLate,
  outcomeBadge,
  type BadgeText,
} from "#components/text/case-badges";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { spanOf } from "#lib/messages/labels/instant";
import type { State } from "#lib/task/model/task";
import type { CaseView, GateView } from "#lib/task/views";
import { nowMs } from "#lib/platform/now";
import { standingId } from "../decision/answer.ts";
import { RecallForm } from "../decision/gate-forms.tsx";
import { Follow } from "./follow.tsx";
import { payerHasText } from "./payer-has.ts";

type Props = {
  readonly view: CaseView;
  /** Since when its payer does not answer. */
  readonly awaySince?: Date | undefined;
};

/** The service is to submit it, is doing so, or is asking whether it arrived. */
export function isWithService({ state, gate }: CaseView): boolean {
  const states: readonly State[] = [
    ...(["transmit-released", "transmitting", "transmit-unconfirmed"] as const),
    ...(["void-released", "voiding", "void-unconfirmed"] as const),
  ];
  return states.includes(state) && !gate?.manual;
}

/** Where the case stands and who moves next, in one badge and one sentence; Undo while it is possible. */
export function Standing({ view, awaySince }: Props) {
  const { state, attention, claimableAt, gate, can, clock } = view;
  const byService = ["transmit-released", "transmitting", "void-released", "voiding"].includes(state) && !gate?.manual;
  const badge = standingBadge(view);
  const legal = clock?.legal;
  const isOverdue = isPayerLate(clock);
  return (
    <div
      className={classNames(
        "flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-y border-line px-4 py-2 print:px-0",
        washes[badge.tone],
      )}
    >
      <div
        id={standingId}
        role="status"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 outline-none max-sm:basis-full [&>.badge]:bg-surface"
      >
        <Badge tone={badge.tone} large>
          {badge.text}
        </Badge>
        <span className="min-w-0 wrap-anywhere">
          {sentences[state](view)}
          {isOverdue && legal?.known && (
            <strong className="text-bad"> The payer is overdue by {spanOf(legal.remainingMs)}.</strong>
          )}
          {attention && !isInSentence(attention) && ` ${attentionText(attention, state)}`}
          {gate?.autoReleased && (
            <strong className="text-warn">
              {" "}
              Released automatically. No person reviewed this request: it is test data for the sandbox payer.
            </strong>
          )}
          {awaySince && (
            <strong className="text-warn">
              {" "}
              The payer hasn&rsquo;t answered since <Time at={awaySince} />. The service tries again by itself and
              continues with this case as soon as the payer answers.
            </strong>
          )}
        </span>
      </div>
      {(can.includes("recall") || byService) && (
        <div className="flex items-center gap-3 print:hidden">
          {byService && <Follow key={state} untilMs={claimableAt?.getTime() ?? 0} nowMs={nowMs()} />}
          {can.includes("recall") && <RecallForm />}
        </div>
      )}
    </div>
  );
}

/** The ground of the strip, where the tone is an answer or asks for one. */
const washes: Readonly<Record<Tone, string>> = {
  plain: "bg-sunken",
  news: "bg-sunken",
  good: "bg-good-wash",
  warn: "bg-warn-wash",
  bad: "bg-bad-wash",
};

/** The one badge of a case: what the payer decided, else what a person must do, else its state. */
function standingBadge({ state, attention, determinations, undecided, clock }: CaseView): BadgeText {
  const latest =
    state === "determined" ? determinations.findLast(({ standing }) => standing === "in-force") : undefined;
  if (attention) return attentionBadge(attention, state);
  if (state === "transmitted" && undecided && !isPayerLate(clock)) return { text: "Change with payer", tone: "plain" };
  return latest ? outcomeBadge(latest.outcome) : clockedStateBadge(state, clock);
}

/** What the sentence about the state says already. */
function isInSentence(attention: NonNullable<CaseView["attention"]>): boolean {
  return attention === "manual-submission" || attention === "unconfirmed";
}

const sentences: Readonly<Record<State, (view: CaseView) => ReactNode>> = {
  "needs-information": (view) => (
    <>
      <WhyWithAgent view={view} /> Next step: the agent sends {isExpired(view) ? "it again" : "a new revision"}.
    </>
  ),
  "transmit-held": (view) => <Held view={view} />,
  "transmit-released": (view) => <Released view={view} />,
  transmitting: (view) => <BeingSubmitted view={view} />,
  "transmit-unconfirmed": (view) => unconfirmedText("transmit", hasUnreadReply(view)),
  transmitted: ({ reference, undecided, clock }) => (
    <>
      {undecided && "The payer has the change"}
      {reference !== undefined && <Reference isStart={!undecided}>{reference}</Reference>}
      {(undecided || reference !== undefined) && ". "}
      {payerStepText(isPayerLate(clock))}
      {undecided && standsUntilThen}
    </>
  ),
  "payer-needs-information": ({ undecided }) =>
    `The payer requested information. Next step: the agent sends a new revision.${undecided ? standsUntilThen : ""}`,
  determined: ({ reference }) => (
    <>
      Determined by the payer
      {reference !== undefined && <Reference>{reference}</Reference>}. Available to the agent.
    </>
  ),
  "void-held": (view) => <Held view={view} />,
  "void-released": (view) => <Released view={view} />,
  voiding: (view) =>
    view.voidPending ? "The payer has the void and will confirm it later." : <BeingSubmitted view={view} />,
  "void-unconfirmed": (view) => unconfirmedText("void", hasUnreadReply(view)),
  voided: ({ voided }) =>
    voided === "by-payer" ? "The payer voided it without a request." : "Voided at the payer, as requested.",
  withdrawn: (view) => `The agent withdrew it. ${payerHasText(view)}`,
  declined: (view) => (
    <>
      {view.gate && <Decided gate={view.gate} verb="Declined" />} {payerHasText(view)} The agent receives the reason.
    </>
  ),
  failed: () => "The payer rejected it.",
};

/** Why the agent is asked for a new revision. */
function WhyWithAgent({ view }: { readonly view: CaseView }) {
  const { gate, remark, missing } = view;
  if (gate?.status === "sent-back") return <Decided gate={gate} verb="Information requested" />;
  if (remark?.by === "payer") return "The payer rejected it without a decision.";
  if (missing.length > 0) return <PlainText>{missingSentence(missing, view.review)}</PlainText>;
  return isExpired(view) ? expiredText : "More information is needed before it can be released.";
}

/** The request expired before a reviewer decided, and no field of it is missing. */
function isExpired({ gate, missing }: CaseView): boolean {
  return gate?.status === "expired" && missing.length === 0;
}

const standsUntilThen = " The earlier determination stands until then.";

function Held({ view }: { readonly view: CaseView }) {
  const { gate, voting } = view;
  const fact = payerHasText(view);
  const undone = <Undone view={view} />;
  if (!gate) return fact;
  const counted = voting?.given.filter(({ counts }) => counts) ?? [];
  if (!voting || counted.length === 0) {
    return (
      <>
        {undone}
        {fact} Expires <Time at={gate.expiresAt} />.
      </>
    );
  }
  const more = voting.needed - counted.length;
  return (
    <>
      {undone}
      {counted.length} of {voting.needed} released,{" "}
      {counted.map(({ name, at }, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <PlainText>{name}</PlainText> <Time at={at} as="on" />
        </span>
      ))}
      . {fact} Needs {more === 1 ? "one" : more} more until <Time at={gate.expiresAt} />.
    </>
  );
}

/** That a release of the same was taken back, where that was the last thing that happened at a gate. */
function Undone({ view: { history } }: { readonly view: CaseView }) {
  const last = history.findLast(({ act }) => act.startsWith("gate.") || act === "task.amended");
  if (last?.act !== "gate.recalled") return null;
  return (
    <>
      Released and undone by <PlainText>{last.actor}</PlainText> <Time at={last.at} as="on" />.{" "}
    </>
  );
}

function Released({ view }: { readonly view: CaseView }) {
  const { gate } = view;
  return (
    <>
      {gate && <Decided gate={gate} verb="Released" />}{" "}
      {gate?.manual ? manualWaitText[gate.action] : "You can undo until it is submitted."}
    </>
  );
}

function BeingSubmitted({ view }: { readonly view: CaseView }) {
  if (view.gate?.manual)
    return <PlainText>{manualWorkText(view.gate.action, view.determinations.at(-1)?.authorizationNumber)}</PlainText>;
  return (
    <>
      Being submitted to the payer{(view.attempt ?? 1) > 1 && `, attempt ${view.attempt}`}. The release can no longer be
      undone.
    </>
  );
}

/** Since the release the payer has answered the submission, with something that is no answer we know. */
function hasUnreadReply({ answers, gate }: CaseView): boolean {
  const since = gate?.decidedAt;
  return since !== undefined && answers.some(({ kind, receivedAt }) => kind === "answer" && receivedAt >= since);
}

function Decided({ gate, verb }: { readonly gate: GateView; readonly verb: string }) {
  return (
    <>
      {verb}
      {gate.decidedBy !== undefined && ` by ${gate.decidedBy}`}
      {gate.decidedAt && (
        <>
          {" "}
          <Time at={gate.decidedAt} as="on" />
        </>
      )}
      .
    </>
  );
}

function Reference({ children, isStart = false }: { readonly children: string; readonly isStart?: boolean }) {
  return (
    <>
      {isStart ? "Payer reference " : ", payer reference "}
      <span className="font-mono">
        <PlainText>{children}</PlainText>
      </span>
    </>
  );
}
