import Link from "next/link";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import type { DenialRecord } from "#lib/channel/channel-calls";
import { denialReasons, permissionLabels } from "#lib/messages/admin/channel";

/** The newest denials with the reason their caller was not told. */
export function DeniedCalls({ list }: { readonly list: readonly DenialRecord[] }) {
  return (
    <Panel
      title="Denied calls"
      aside={list.length > 0 && "Latest first. The agent only learns “Not authorised”."}
      flush
    >
      {list.length === 0 ? (
        <p className="p-4 text-ink-soft">
          No denied calls. They appear here with the reason, which the agent isn&rsquo;t told.
        </p>
      ) : (
        <Table
          caption="Denied calls, latest first"
          columns={[
            { name: "Time", width: "md:w-44" },
            { name: "Reason" },
            { name: "Operation", width: "md:w-36" },
            { name: "Practice", width: "md:w-36" },
            { name: "From", width: "md:w-36" },
          ]}
        >
          {list.map((denial) => (
            <DenialRow key={denial.id} of={denial} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function DenialRow({ of: { id, at, rule, atom, practiceId, keyId, address } }: { readonly of: DenialRecord }) {
  return (
    <Row>
      <Cell>
        <Time at={at} as="full" />
        <span className="block font-mono text-xs wrap-anywhere text-ink-faint">{id}</span>
      </Cell>
      <Cell label="Reason" className="font-semibold">
        {denialReasons[rule]}
      </Cell>
      <Cell label="Operation">{atom && permissionLabels[atom].text}</Cell>
      <Cell label="Practice" className="wrap-anywhere">
        {practiceId !== undefined && (
          <Link href={`/practices/${encodeURIComponent(practiceId)}`} prefetch={false} className="underline">
            {practiceId}
          </Link>
        )}
      </Cell>
      <Cell label="From">
        {address !== undefined && <span className="block font-mono text-sm">{address}</span>}
        {keyId !== undefined && <span className="block font-mono text-sm text-ink-faint">pa_{keyId}_…</span>}
      </Cell>
    </Row>
  );
}
