import { daysBetween, type CaseFacts, type CheckFinding, type Rule } from "./check.ts";
import type { ServiceReview } from "#lib/task/model/service-review";

/** Days of service further ahead than this are unusual. */
const aheadDaysMax = 365;

/** Requests for service that ended longer ago than this are blocked: no payer certifies so far back. */
const overDaysMax = 365;

type Span = { readonly path: string; readonly from?: string | undefined; readonly to?: string | undefined };

/** Rules about the days of service. Those of an update may well have begun. */
export const dateRules: readonly Rule[] = [
  { type: "dates-over", find: (facts) => (facts.update ? [] : longOver(facts)) },
  {
    type: "dates-reversed",
    find: ({ review }) =>
      spansOf(review).flatMap(({ path, from, to }) =>
        from !== undefined && to !== undefined && to < from
          ? [{ paths: [`${path}/fromDate`, `${path}/toDate`], values: [from, to] }]
          : [],
      ),
  },
  {
    type: "past-dates",
    find: ({ review, today, update }) =>
      spansOf(review).flatMap(({ path, from, to }) => {
        const first = from ?? to;
        const place = `${path}/${from === undefined ? "toDate" : "fromDate"}`;
        return !update && first !== undefined && first < today ? [{ paths: [place], values: [first] }] : [];
      }),
  },
  {
    type: "far-dates",
    find: ({ review, today }) =>
      daysOf(review).flatMap(({ path, day }) =>
        daysBetween(today, day) > aheadDaysMax ? [{ paths: [path], values: [day] }] : [],
      ),
  },
];

function longOver({ review, today }: CaseFacts): readonly CheckFinding[] {
  const days = daysOf(review);
  const over = days.filter(({ day }) => daysBetween(day, today) > overDaysMax);
  if (days.length === 0 || over.length < days.length) return [];
  const last = days.map(({ day }) => day).reduce((latest, day) => (day > latest ? day : latest));
  return [{ paths: over.map(({ path }) => path), values: [last] }];
}

function spansOf(review: ServiceReview): readonly Span[] {
  return [
    { path: "", from: review.fromDate, to: review.toDate },
    ...review.procedures.map(({ fromDate, toDate }, index) => ({
      path: `/procedures/${index}`,
      from: fromDate,
      to: toDate,
    })),
  ];
}

function daysOf(review: ServiceReview): readonly { readonly path: string; readonly day: string }[] {
  return spansOf(review).flatMap(({ path, from, to }) => [
    ...(from === undefined ? [] : [{ path: `${path}/fromDate`, day: from }]),
    ...(to === undefined ? [] : [{ path: `${path}/toDate`, day: to }]),
  ]);
}
