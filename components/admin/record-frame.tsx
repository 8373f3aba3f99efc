import type { ReactNode } from "react";
import { TabLinks } from "#components/list/tab-links";
import { BackLink } from "#components/shell/back-link";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import type { PersonActor } from "#lib/access/model/actor";
import type { ListedChanges } from "#lib/change-request/list-changes";
import { WaitingChanges } from "./waiting-changes.tsx";

/** What is administered: the address of their list, what the list is called, and what one of them is. */
const kinds = {
  channel: { list: "channels", names: "Channels", name: "Channel" },
  practice: { list: "practices", names: "Practices", name: "Practice" },
  person: { list: "people", names: "People", name: "Person" },
} as const;

type Props<Tab extends string> = {
  readonly viewer: PersonActor;
  readonly kind: keyof typeof kinds;
  readonly name: string;
  readonly badge: ReactNode;
  /** Beside one another, in the line under the name. */
  readonly lead: ReactNode;
  readonly actions?: ReactNode | undefined;
  /** What each tab is called; the first is the whole at a glance. */
  readonly tabNames: Readonly<Record<Tab, string>>;
  /** Those that are shown; all of them if it is not given. */
  readonly tabs?: readonly Tab[] | undefined;
  readonly tab: Tab;
  readonly pathOf: (tab: Tab) => string;
  /** What was just done, for the reader. */
  readonly message: string | undefined;
  readonly waiting: ListedChanges;
  readonly children: ReactNode;
};

/** What stands around every tab of a channel, a practice or a person: which one it is, and the way back to the others. */
export function RecordFrame<Tab extends string>({ viewer, kind, tabNames, tab, pathOf, ...rest }: Props<Tab>) {
  const { list, names, name: one } = kinds[kind];
  // Safe because these are the object's own keys.
  const all = Object.keys(tabNames) as Tab[];
  const { name, badge, lead, actions, tabs = all, message, waiting, children } = rest;
  return (
    <Shell person={viewer} current={list} title={tab === all[0] ? one : `${one}: ${tabNames[tab]}`}>
      <BackLink href={`/${list}`}>{names}</BackLink>
      <PageHeader
        title={<PlainText>{name}</PlainText>}
        badge={badge}
        lead={<span className="flex flex-wrap gap-x-4 gap-y-1">{lead}</span>}
        actions={actions}
        tabs={
          <TabLinks
            label={one}
            current={pathOf(tab)}
            tabs={tabs.map((each) => ({ href: pathOf(each), name: tabNames[each] }))}
          />
        }
      />
      {message !== undefined && (
        <Notice tone="good" role="status" className="mb-6">
          {message}
        </Notice>
      )}
      <WaitingChanges changes={waiting} />
      {children}
    </Shell>
  );
}
