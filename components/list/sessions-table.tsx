import { ActForm } from "#components/form/act-form";
import type { ActAnswer } from "#components/form/act-answer";
import { SubmitButton } from "#components/form/submit-button";
import { Cell, Row, Table } from "./table.tsx";
import { Time } from "#components/text/time";

type Session = {
  readonly id: string;
  readonly browser: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
};

type Props = {
  readonly list: readonly Session[];
  /** The session this page is drawn for, where it is one of these; it is ended by signing out. */
  readonly own?: string | undefined;
  readonly personId: string;
  readonly end: (before: ActAnswer, form: FormData) => Promise<ActAnswer>;
};

/** Where somebody is signed in, each with a way to end it. */
export function SessionsTable({ list, own, personId, end }: Props) {
  return (
    <Table
      caption="Sessions, the last used first"
      columns={["Browser", "Address", "Signed in", "Last seen", { name: "End", hidden: true }]}
    >
      {list.map(({ id, browser, userAgent, address, createdAt, seenAt }) => (
        <Row key={id}>
          <Cell>
            <span title={userAgent ?? undefined}>{browser}</span>
            {id === own && <span className="block text-sm text-ink-faint">This session</span>}
          </Cell>
          <Cell label="Address">
            {address === null ? (
              <span className="text-ink-faint">Unknown</span>
            ) : (
              <code className="font-mono text-sm wrap-anywhere">{address}</code>
            )}
          </Cell>
          <Cell label="Signed in">
            <Time at={createdAt} />
          </Cell>
          <Cell label="Last seen">
            <Time at={seenAt} as="until" />
          </Cell>
          <Cell className="md:text-end">
            {id !== own && (
              <ActForm act={end} className="inline-grid gap-2">
                <input type="hidden" name="personId" value={personId} />
                <input type="hidden" name="sessionId" value={id} />
                <SubmitButton aria-label={`End session in ${browser} from ${address ?? "unknown"}`}>
                  End session
                </SubmitButton>
              </ActForm>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
