import type { ReactNode } from "react";
import { attentionText } from "#lib/messages/reviewer/case";
import { Notice } from "#components/shell/notice";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import type { Attention, Remark, State } from "#lib/task/model/task";
import type { CaseView, GateView } from "#lib/task/views";
import { standingId } from "../decision/answer.ts";
import { Follow } from "./follow.tsx";
import { RecallForm } from "../decision/gate-forms.tsx";
import { OverdueNotice } from "./payer-clock.tsx";
import { payerHasText } from "./payer-has.ts";
import { nowMs } from "#lib/platform/now";

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

/** Where the case stands, who moves next, and what was last said about it. */
export function Standing({ view, awaySince }: Props) {
  const { state, attention, remark, claimableAt, gate, clock, can } = view;
  const byService = ["transmit-released", "transmitting", "void-released", "voiding"].includes(state) && !gate?.manual;
  return (
    <div className="mb-5 grid gap-3">
      <p id={standingId} role="status" tabIndex={-1} className="text-lg text-balance outline-none">
        {sentences[state](view)}
      </p>
      {(can.includes("recall") || byService) && (
        <div className="flex flex-wrap items-center gap-3 print:hidden">
          {can.includes("recall") && <RecallForm />}
          {byService && <Follow key={state} untilMs={claimableAt?.getTime() ?? 0} nowMs={nowMs()} />}
        </div>
      )}
      {awaySince && (
        <Notice tone="warn">
          The payer hasn&rsquo;t answered since <Time at={awaySince} />. The service tries again by itself and continues
          with this case as soon as the payer answers.
        </Notice>
      )}
      {gate?.autoReleased && (
        <Notice tone="warn">
          Released automatically. No person reviewed this request: it is test data for the sandbox payer.
        </Notice>
      )}
      {clock && <OverdueNotice clock={clock} />}
      {attention && !isSaid(attention) && <Notice tone="warn">{attentionText(attention)}</Notice>}
      {remark && <Said remark={remark} asksVoid={gate?.action === "void"} />}
    </div>
  );
}

/** What the sentence about the state says already. */
function isSaid(attention: Attention): boolean {
  return attention === "manual-submission" || attention === "unconfirmed";
}

const sentences: Readonly<Record<State, (view: CaseView) => ReactNode>> = {
  "needs-information": ({ gate }) => (
    <>
      {gate?.status === "sent-back" ? (
        <Decided gate={gate} verb="Information requested" />
      ) : (
        "More information is needed before it can be released."
      )}{" "}
      Next step: the agent sends a new revision.
    </>
  ),
  "transmit-held": (view) => <Held view={view} />,
  "transmit-released": (view) => <Released view={view} verb="is submitted" />,
  transmitting: (view) => <Submitting view={view} />,
  "transmit-unconfirmed": () => <Unconfirmed what="It" />,
  transmitted: ({ reference, undecided }) => (
    <>
      {undecided ? "Change with payer" : "With payer"}
      {reference !== undefined && <Reference>{reference}</Reference>}. Next step: the payer decides.
      {undecided && standsUntilThen}
    </>
  ),
  "payer-needs-information": ({ undecided }) =>
    `Pended: information requested. Next step: the agent sends a new revision.${undecided ? standsUntilThen : ""}`,
  determined: ({ reference }) => (
    <>
      The payer has decided{reference !== undefined && <Reference>{reference}</Reference>}. The agent gets it at its
      next poll.
    </>
  ),
  "void-held": (view) => <Held view={view} />,
  "void-released": (view) => <Released view={view} verb="is submitted" />,
  voiding: (view) =>
    view.voidPending ? "The payer has the void request and will confirm it later." : <Submitting view={view} />,
  "void-unconfirmed": () => <Unconfirmed what="The void" />,
  voided: ({ voided }) =>
    voided === "by-payer" ? "The payer voided it without a request." : "Voided at the payer, as requested.",
  withdrawn: (view) => `The agent withdrew it. ${payerHasText(view)}`,
  declined: (view) => (
    <>
      {view.gate && <Decided gate={view.gate} verb="Declined" />} {payerHasText(view)} The agent gets the reason.
    </>
  ),
  failed: () => "The payer rejected it.",
};

const standsUntilThen = " The earlier determination stands until then.";

function Held({ view }: { readonly view: CaseView }) {
  const { gate, voting } = view;
  const fact = payerHasText(view);
  if (!gate) return `Awaiting release. ${fact}`;
  const counted = voting?.given.filter(({ counts }) => counts) ?? [];
  if (!voting || counted.length === 0) {
    return (
      <>
        Awaiting release. {fact} Expires <Time at={gate.expiresAt} />.
      </>
    );
  }
  const more = voting.needed - counted.length;
  return (
    <>
      {counted.length} of {voting.needed} released,{" "}
      {counted.map(({ name, at }, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <PlainText>{name}</PlainText> at <Time at={at} as="clock" />
        </span>
      ))}
      . {fact} Needs {more === 1 ? "one" : more} more until <Time at={gate.expiresAt} />.
    </>
  );
}

function Released({ view, verb }: { readonly view: CaseView; readonly verb: string }) {
  const { gate, claimableAt } = view;
  const inTime = claimableAt !== undefined && claimableAt.getTime() > nowMs();
  return (
    <>
      {gate && <Decided gate={gate} verb="Released" />}{" "}
      {gate?.manual && "It awaits manual submission. Until it starts, you can undo the release."}
      {!gate?.manual && inTime && (
        <>
          It {verb} at <Time at={claimableAt} as="clock" />. Until then you can undo the release.
        </>
      )}
      {!gate?.manual && !inTime && `It ${verb} at any moment. Until then you can undo the release.`}
    </>
  );
}

function Submitting({ view }: { readonly view: CaseView }) {
  if (view.gate?.manual) return "Manual submission in progress. Record the result here.";
  return (
    <>
      Submitting to the payer{(view.attempt ?? 1) > 1 && `, attempt ${view.attempt}`}. The release can no longer be
      undone.
    </>
  );
}

function Unconfirmed({ what }: { readonly what: string }) {
  return (
    <>
      Submission status unknown. {what} was submitted, and the payer's answer wasn't understood. The service keeps
      asking; you can also ask the payer and record the answer. Nothing is submitted again without a new release.
    </>
  );
}

function Decided({ gate, verb }: { readonly gate: GateView; readonly verb: string }) {
  return (
    <>
      {verb}
      {gate.decidedBy !== undefined && ` by ${gate.decidedBy}`}
      {gate.decidedAt && (
        <>
          {" "}
          at <Time at={gate.decidedAt} as="clock" />
        </>
      )}
      .
    </>
  );
}

function Reference({ children }: { readonly children: string }) {
  return (
    <>
      {" "}
      under <PlainText>{children}</PlainText>
    </>
  );
}

const speakers: Readonly<Record<Remark["by"], string>> = {
  agent: "Written by the agent",
  reviewer: "Written by a reviewer",
  payer: "The payer says",
  service: "The service says",
};

function Said({ remark, asksVoid }: { readonly remark: Remark; readonly asksVoid: boolean }) {
  return (
    <div>
      <p className="mb-1 text-sm text-ink-faint">
        {speakers[remark.by]}
        {remark.by === "agent" && asksVoid && ", to say why it asks for the void"}
      </p>
      <QuotedText>{remark.text}</QuotedText>
    </div>
  );
}
