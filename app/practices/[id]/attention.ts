import type { AttentionItem } from "#components/admin/attention";
import type { SetupItem } from "#components/admin/setup-list";
import { missesRequests, notificationStatus, type ShownPractice } from "#lib/practice/list-practices";
import { newRoutePath, practicePath, routePath } from "./paths.ts";

type Around = {
  readonly practice: ShownPractice;
  /** How many people review here, also those who were invited only. */
  readonly reviewers: number;
};

/** What a practice needs before the first case can be decided, each read from what is there. */
export function setupOf({ practice, reviewers }: Around): readonly SetupItem[] {
  const { id } = practice;
  return [
    {
      name: "Payer connection",
      isDone: practice.routes.length > 0,
      act: "Add a payer connection",
      href: newRoutePath(id),
    },
    {
      name: "Reviewer",
      isDone: reviewers > 0,
      act: "Invite a reviewer",
      href: `/people/invite?practice=${encodeURIComponent(id)}`,
    },
    {
      name: "Channel",
      isDone: practice.isReached,
      act: "Create a channel",
      href: `/channels/new?practice=${encodeURIComponent(id)}`,
    },
  ];
}

/** What is wrong with a practice, each with the act that fixes it. */
export function attentionOf({ practice, reviewers }: Around): readonly AttentionItem[] {
  const { id, routes, tests, unmatched } = practice;
  const list: AttentionItem[] = [];
  if (routes.length > 0 && reviewers === 0)
    list.push({
      text: "No reviewer. Nobody can release this practice's requests.",
      act: "Invite a reviewer",
      href: `/people/invite?practice=${encodeURIComponent(id)}`,
    });
  for (const route of routes) {
    const name = route.payerName ?? route.payerId;
    const href = routePath(id, route.payerId);
    if (tests.get(route.routeId)?.ok === false)
      list.push({
        text: `The last connection test with ${name} failed. Submissions may not arrive.`,
        act: "View the test",
        href,
      });
    if (missesRequests(notificationStatus(route)))
      list.push({
        text: `Notifications from ${name} don't arrive. Requests for information are missed.`,
        act: "View connection",
        href,
      });
  }
  if (unmatched > 0)
    list.push({
      text: `${unmatched === 1 ? "1 payer notification matches" : `${unmatched} payer notifications match`} no case. A reviewer of this practice has to check.`,
      act: "View members",
      href: practicePath(id, "members"),
    });
  return list;
}
