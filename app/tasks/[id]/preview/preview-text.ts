import {
  attentionBadge,
  autoReleasedBadge,
  clockedStateBadge,
  outcomeBadge,
  type BadgeText,
} from "#components/text/case-badges";
import { dayText } from "#lib/messages/labels/instant";
import type { PreviewFact, PreviewText } from "#components/preview/preview-text";
import { shownZone, timeReader, timeParts } from "#components/text/time";
import { lineOf } from "#components/text/visible-line";
import { connectorText } from "#lib/messages/connector-text";
import { checkSentences } from "#lib/messages/reviewer/checks";
import { nowMs } from "#lib/platform/now";
import type { CasePreview } from "#lib/queue/preview-case";
import { codeWord } from "#lib/messages/labels/codes";
import type { ServiceReview } from "#lib/task/model/service-review";
import type { CaseView, Possible } from "#lib/task/views";
import { ageIn, amountOf, isUrgent, nameOf } from "../request/review-text.ts";

const diagnosesMax = 3;

/** The acts that answer a request; every other one needs the case page to be read first. */
const offered: readonly { readonly possible: Possible; readonly name: string }[] = [
  { possible: "release", name: "Release" },
  { possible: "request-information", name: "Request information" },
  { possible: "decline", name: "Decline" },
];

export async function previewText({ view, assignee, snooze }: CasePreview): Promise<PreviewText> {
  const { review, can, gate } = view;
  const [first] = review.procedures;
  const name = nameOf(review.patient);
  return {
    taskId: view.taskId,
    shortId: view.shortId,
    patient: name === undefined ? undefined : lineOf(name),
    about: aboutPatient(review, view.practice.timeZone).map(lineOf),
    badges: badgesOf(view),
    code: first && lineOf(first.code),
    description: first?.description === undefined ? undefined : lineOf(first.description),
    more: Math.max(0, review.procedures.length - 1),
    amount: first && (amountOf(first) ?? amountOf(review)),
    diagnoses: (review.diagnoses ?? []).slice(0, diagnosesMax).map(({ code, description }) => ({
      code: lineOf(code),
      text: description === undefined ? undefined : lineOf(description),
    })),
    facts: [...partiesOf(view, assignee?.name), ...(await timesOf(view, snooze?.until))],
    checks: checksOf(view),
    isHeld: gate?.status === "open",
    acts: offered
      .filter(({ possible }) => can.includes(possible))
      .map(({ possible, name: act }) => ({ intent: possible, name: act })),
  };
}

function aboutPatient({ patient, subscriber }: ServiceReview, zone: string): readonly string[] {
  const sex = patient?.genderCode === undefined ? undefined : codeWord("gender", patient.genderCode);
  const age = patient?.birthDate === undefined ? undefined : ageIn(patient.birthDate, zone);
  return [
    [sex, age].filter((part) => part !== undefined).join(", "),
    patient?.birthDate === undefined ? "" : `DOB ${dayText(patient.birthDate)}`,
    subscriber?.memberId === undefined ? "" : `Member ID ${subscriber.memberId}`,
  ].filter((part) => part !== "");
}

function badgesOf({ state, attention, review, determinations, gate, clock }: CaseView): readonly BadgeText[] {
  const latest =
    state === "determined" ? determinations.findLast(({ standing }) => standing === "in-force") : undefined;
  const standing = latest ? outcomeBadge(latest.outcome) : clockedStateBadge(state, clock);
  return [
    attention ? attentionBadge(attention, state) : standing,
    ...(isUrgent(review) ? [{ text: "Urgent", tone: "bad" } as const] : []),
    ...(gate?.autoReleased ? [autoReleasedBadge] : []),
  ];
}

function partiesOf(view: CaseView, assignee: string | undefined): readonly PreviewFact[] {
  const { requestingProvider, renderingProviders = [], facility } = view.review;
  const servicing = renderingProviders.flatMap((one) => nameOf(one) ?? one.npi ?? []).slice(0, 2);
  const requesting = nameOf(requestingProvider) ?? requestingProvider?.npi;
  const place = facility?.name;
  return [
    {
      name: "Payer",
      text: lineOf(view.payer.name ?? view.payer.id),
      beside: lineOf(connectorText(view.connector)),
    },
    ...(requesting === undefined ? [] : [{ name: "Requested by", text: lineOf(requesting) }]),
    ...(servicing.length === 0
      ? []
      : [
          {
            name: "Servicing",
            text: lineOf(servicing.join(", ")),
            beside: place === undefined ? undefined : lineOf(`at ${place}`),
          },
        ]),
    { name: "Practice", text: lineOf(view.practice.name) },
    { name: "Assignee", text: lineOf(assignee ?? "Unassigned") },
  ];
}

/** By when something is to be done, by the practice's clocks. */
async function timesOf({ dueAt, clock, practice }: CaseView, wakesAt: Date | undefined): Promise<PreviewFact[]> {
  const at = { reader: await timeReader(), zone: await shownZone(practice.timeZone) };
  const isPast = (when: Date) => when.getTime() < nowMs();
  const fact = (name: string, when: Date | undefined) =>
    when ? [{ name, at: timeParts(when, isPast(when) ? "late" : "until", at), isLate: isPast(when) }] : [];
  return [
    ...fact("Due", dueAt),
    ...fact("Payer decision due", clock && !clock.stoppedAt && clock.legal.known ? clock.legal.dueAt : undefined),
    ...fact("Snoozed", wakesAt),
  ];
}

function checksOf({ checks }: CaseView): PreviewText["checks"] {
  const serious = checks.filter(({ level, needsReason }) => level === "block" || needsReason);
  return checkSentences(serious).map(({ check, text }) => ({
    level: check.level === "block" ? "block" : "warn",
    text: lineOf(text),
  }));
}
