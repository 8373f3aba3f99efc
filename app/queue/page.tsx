import { redirect } from "next/navigation";
import { ButtonLink } from "#components/form/button";
import { PageHeader } from "#components/shell/page-header";
import { EnvironmentMark } from "#components/list/badge";
import { Panel } from "#components/list/panel";
import { Notice } from "#components/shell/notice";
import { Shell } from "#components/shell/shell";
import { listedText, orderText, unknownViewText, viewNames } from "#lib/messages/reviewer/queue";
import { PlainText } from "#components/text/plain-text";
import { contextOf, requirePerson } from "#lib/person/session/person";
import type { Context } from "#lib/access/context";
import type { QueueRow } from "#lib/task/views";
import type { PersonActor } from "#lib/access/model/actor";
import { isRiskView, type TabView } from "#lib/queue/model/queue";
import { snoozeEnds } from "#lib/queue/live/snooze-ends";
import { liveHeads } from "#lib/queue/live/live-heads";
import { countMatches, countQueue, listQueue } from "#lib/queue/list-queue";
import { withDeskMarks } from "#lib/queue/desk-marks";
import { queueFacets } from "#lib/queue/queue-facets";
import { countSavedViews, savedViews } from "#lib/queue/saved-views";
import { queueChoices } from "#lib/queue/queue-choices";
import { unmatchedCount } from "#lib/payer/inbox/unmatched-pushes";
import { payersAway } from "#lib/submission/payers-away";
import { addressOf, isNarrowed, readAddress, type Address } from "#lib/queue/queue-address";
import { BulkBar } from "./bulk-bar.tsx";
import { CaseTable } from "./case-table.tsx";
import { EmptyQueue, NoPractice } from "./empty-queue.tsx";
import { Filters } from "./filters.tsx";
import { PayersAwayNotice } from "#components/shell/payers-away-notice";
import { UnmatchedNotice } from "#components/shell/unmatched-notice";
import { LiveQueue } from "./live-queue.tsx";
import { PreviewToggle, WithPreview } from "#components/preview/preview";
import { SavedViewMenu } from "./saved-view-menu.tsx";
import { Search } from "./search.tsx";
import { besides, isMainList, Views } from "./views.tsx";

type Params = Readonly<Record<string, string | string[] | undefined>>;
type Props = { readonly searchParams: Promise<Params> };

export default async function QueuePage({ searchParams }: Props) {
  const params = await searchParams;
  const address = readAddress(params);
  // The form of the filters names those that are empty too, and an address is passed on to others.
  if (Object.values(params).includes("")) redirect(addressOf(address));
  const person = await requirePerson(addressOf(address));
  const reviews = person.roles.includes("reviewer") && person.practices.length > 0;
  return (
    <Shell person={person} current="queue" title="Queue">
      {reviews ? (
        <>
          {isUnknownView(params, address) && (
            <Notice tone="news" className="mb-5">
              {unknownViewText(address.view)}
            </Notice>
          )}
          <Queue person={person} address={address} problem={params.problem === "search"} />
        </>
      ) : (
        <>
          <PageHeader title="Queue" />
          <NoPractice person={person} />
        </>
      )}
    </Shell>
  );
}

/** An old bookmark may name a view that was removed. */
function isUnknownView({ view }: Params, address: Address): boolean {
  return view !== undefined && view !== address.view && !isSearch(address);
}

type QueueProps = { readonly person: PersonActor; readonly address: Address; readonly problem: boolean };

async function Queue({ person, address, problem }: QueueProps) {
  const ctx = contextOf(person);
  // Before the rows, so that whatever comes in between is news.
  const [base, rests] = await Promise.all([liveHeads(ctx), snoozeEnds(ctx)]);
  const searching = isSearch(address);
  const tab = searching || isRiskView(address.view) ? undefined : address.view;
  const whole: TabView | undefined = isNarrowed(address) ? undefined : tab;
  const counting = countQueue(ctx, whole);
  const listing = readList(ctx, address, async () => (whole ? (await counting)[whole] : countMatches(ctx, address)));
  const { view, sort, filters } = address;
  const query = addressOf({ view, sort, filters }).slice("/queue?".length);
  const [choices, facets, { saved, kept, savedCounts }, { page, rows, matches }, counts, notices] = await Promise.all([
    queueChoices(ctx),
    searching ? [] : queueFacets(ctx, address),
    readSaved(ctx, searching ? undefined : query),
    listing,
    counting,
    readNotices(ctx),
  ]);
  const live = { personId: person.id, base, rests, shown: page.rows.map(({ taskId }) => taskId) };
  return (
    <>
      <PageHeader
        title="Queue"
        actions={
          <>
            <LiveQueue {...live} view={addressOf(address).slice("/queue?".length)} />
            <Search
              typed={page.searchedFor}
              foundNothing={page.searchedFor !== undefined && page.rows.length === 0}
              problem={problem}
            />
          </>
        }
      />
      {notices}
      <Views current={searching ? undefined : view} counts={counts} {...{ saved, kept, savedCounts }} />
      {!searching && (
        <Filters address={address} choices={choices} facets={facets}>
          {!isMainList(query) && <SavedViewMenu query={query} saved={kept} practices={choices.practices} />}
        </Filters>
      )}
      {page.rows.length === 0 ? (
        <EmptyQueue address={address} searchHasEnded={page.searchHasEnded} />
      ) : (
        <WithPreview key={addressOf(address)}>
          <List
            address={address}
            name={kept?.name}
            rows={rows}
            matches={matches}
            practices={choices.practices.length > 1}
          />
          <BulkBar list={addressOf(address)} />
          <Pages address={address} before={page.before} after={page.after} />
        </WithPreview>
      )}
    </>
  );
}

type ListProps = {
  readonly address: Address;
  /** Under which it is saved. */
  readonly name: string | undefined;
  readonly rows: readonly QueueRow[];
  readonly matches: number;
  readonly practices: boolean;
};

function List({ address, name, rows, matches, practices }: ListProps) {
  const { view, sort } = address;
  const searching = isSearch(address);
  const title = searching ? "Found" : viewNames[view];
  const sorted = searching ? "latest change first" : orderText(view, sort);
  return (
    <Panel
      title={name === undefined ? title : <PlainText>{name}</PlainText>}
      aside={<ListFacts rows={rows} text={`${listedText(matches)} · ${sorted}`} />}
      actions={<PreviewToggle />}
      flush
    >
      <CaseTable
        caption={`${title}: cases, ${sorted}`}
        rows={rows}
        address={searching ? undefined : address}
        view={searching ? "all" : view}
        practices={practices}
      />
    </Panel>
  );
}

/** How many, in what order, and for the whole list at once whether it reaches a real payer. */
function ListFacts({ rows, text }: { readonly rows: readonly QueueRow[]; readonly text: string }) {
  const [first] = rows;
  const isOfOne = rows.every(({ environment }) => environment === first?.environment);
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {text}
      {first && isOfOne && <EnvironmentMark environment={first.environment} />}
    </span>
  );
}

/** The saved views, and the one that is shown; those that stand beside the four are counted. */
async function readSaved(ctx: Context<PersonActor>, query: string | undefined) {
  const saved = await savedViews(ctx);
  const kept = saved.find((one) => one.query === query);
  return { saved, kept, savedCounts: await countSavedViews(ctx, besides(saved, kept)) };
}

async function readNotices(ctx: Context<PersonActor>) {
  const [away, unmatched] = await Promise.all([payersAway(ctx), unmatchedCount(ctx)]);
  return (
    <>
      <PayersAwayNotice payers={away} />
      <UnmatchedNotice count={unmatched} opens />
    </>
  );
}

async function readList(ctx: Context<PersonActor>, address: Address, count: () => Promise<number>) {
  const page = await listQueue(ctx, address);
  const isWhole = page.before === undefined && page.after === undefined;
  const [rows, matches] = await Promise.all([
    withDeskMarks(ctx, page.rows),
    // What finds little has looked through everything once already.
    page.matches ?? (isWhole ? page.rows.length : count()),
  ]);
  return { page, rows, matches };
}

function isSearch({ text, search }: Address): boolean {
  return text !== undefined || search !== undefined;
}

type PagesProps = {
  readonly address: Address;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
};

function Pages({ address, before, after }: PagesProps) {
  if (before === undefined && after === undefined) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex justify-between gap-2">
      <span>
        {before !== undefined && (
          <ButtonLink rel="prev" href={addressOf({ ...address, place: before })}>
            Earlier cases
          </ButtonLink>
        )}
      </span>
      {after !== undefined && (
        <ButtonLink rel="next" href={addressOf({ ...address, place: after })}>
          More cases
        </ButtonLink>
      )}
    </nav>
  );
}
