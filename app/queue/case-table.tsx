import { Table } from "#components/list/table";
import { sortsByPayer, type QueueView } from "#lib/queue/model/queue";
import { addressOf, type Address } from "#lib/queue/queue-address";
import type { QueueRow } from "#lib/task/views";
import { CaseRows } from "./case-rows.tsx";
import { RowLinks } from "./row-links.tsx";
import { rowTexts } from "./row-text.ts";

type Props = {
  readonly caption: string;
  readonly rows: readonly QueueRow[];
  /** Absent where a search is shown, which has an order of its own. */
  readonly address?: Address | undefined;
  readonly view: QueueView;
  /** The list holds cases of several practices, so that each says whose it is. */
  readonly practices: boolean;
};

/** Cases one to a row of two lines; the whole row leads to the case. */
export async function CaseTable({ caption, rows, address, view, practices }: Props) {
  return (
    <div className="@container">
      <RowLinks />
      <Table caption={caption} columns={columnsOf(view, address)}>
        <CaseRows text={JSON.stringify(await rowTexts(rows, { view, practices }))} />
      </Table>
    </div>
  );
}

/** Instead of the target, the time that matters in a view. */
const whenColumns: Partial<Record<QueueView, { name: string; width: string }>> = {
  expiring: { name: "Expires", width: "w-22" },
  denied: { name: "Act by", width: "w-22" },
  decided: { name: "Decided", width: "w-24" },
};

function columnsOf(view: QueueView, address: Address | undefined) {
  const sortable = address !== undefined && sortsByPayer(view);
  const sort = (by: "due" | "payer") =>
    sortable ? { sortedAt: addressOf({ ...address, sort: by, place: undefined }), sorted: address.sort === by } : {};
  return [
    { name: "Case", width: "w-[6.75rem]" },
    { name: "State", width: "w-[21%]" },
    { name: "Patient and codes", width: "w-[20%]" },
    { name: "Payer" },
    whenColumns[view] ?? { name: "Our target", width: "w-22", ...sort("due") },
    { name: "Payer’s clock", width: "w-27 where-wide", ...sort("payer") },
    { name: "Since", width: "w-14 where-wide" },
  ];
}
