import { Table } from "#components/list/table";
import { ownSort, putsUrgentFirst, sortsByPayer, type QueueView } from "#lib/queue/model/queue";
import { addressOf, type Address } from "#lib/queue/queue-address";
import type { QueueRow } from "#lib/task/views";
import { CaseRows } from "./case-rows.tsx";
import { RowLinks } from "./row-links.tsx";
import { rowTexts, type RowsText } from "./row-text.ts";

type Props = {
  readonly caption: string;
  readonly rows: readonly QueueRow[];
  /** Absent where a search is shown, which has an order of its own. */
  readonly address?: Address | undefined;
  readonly view: QueueView;
  /** The list holds cases of several practices, so that each says whose it is. */
  readonly practices: boolean;
};

/** Cases one to a row of two lines, the patient and what is asked for first; the whole row leads to the case. */
export async function CaseTable({ caption, rows, address, view, practices }: Props) {
  const hasDeadlines = showsDeadlines(view);
  return (
    <>
      <RowLinks />
      <Table caption={caption} columns={columnsOf(view, address)}>
        <CaseRows
          text={JSON.stringify({ rows: await rowTexts(rows, { view, practices }), hasDeadlines } satisfies RowsText)}
        />
      </Table>
    </>
  );
}

/** A payer's deadline runs, or was kept, only where the payer has or had the case. */
function showsDeadlines(view: QueueView): boolean {
  return view === "decided" || view === "payer-late" || sortsByPayer(view);
}

/** Instead of the target, the time that matters in a view. */
const whenColumns: Partial<Record<QueueView, { name: string; width: string }>> = {
  snoozed: { name: "Wakes", width: "w-24" },
  expiring: { name: "Expires", width: "w-24" },
  denied: { name: "Act by", width: "w-24" },
  decided: { name: "Decided", width: "w-28" },
};

function columnsOf(view: QueueView, address: Address | undefined) {
  const sort = (by: "due" | "payer", can: boolean) => {
    if (address === undefined || !can) return {};
    const sorted = address.sort === by;
    return { sortedAt: addressOf({ ...address, sort: sorted ? ownSort(view) : by, place: undefined }), sorted };
  };
  return [
    { name: "Patient and service" },
    { name: "Payer", width: "w-[25%]" },
    { name: "Status", width: "w-[21%]" },
    whenColumns[view] ?? { name: "Due", width: "w-24", ...sort("due", putsUrgentFirst(view)) },
    ...(showsDeadlines(view)
      ? [{ name: "Payer's deadline", width: "w-32 where-wide", ...sort("payer", sortsByPayer(view)) }]
      : []),
    { name: "Assignee", width: "w-20 where-wide" },
  ];
}
