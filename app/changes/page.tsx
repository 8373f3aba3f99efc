import { redirect } from "next/navigation";
import { Badge } from "#components/list/badge";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { Notice } from "#components/shell/notice";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import { Ago, Time } from "#components/text/time";
import { listChanges, type ListedChange, type ListedChanges } from "#lib/change-request/list-changes";
import { changeDoneText, changeStatusText, changeText } from "#lib/messages/admin/changes";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { ChangeActs } from "./change-acts.tsx";

type Props = { readonly searchParams: Promise<{ readonly done?: string | string[] }> };

/** The changes that one administrator asked for and another has to confirm, and what became of those before. */
export default async function ChangesPage({ searchParams }: Props) {
  const person = await requirePerson("/changes");
  const changes = await listChanges(contextOf(person));
  if (!changes.ok) redirect("/not-found");
  const { list, names } = changes.value;
  const done = changeDoneText((await searchParams).done);
  const [waiting, decided] = [list.filter(isWaiting), list.filter((each) => !isWaiting(each))];
  return (
    <Shell person={person} current="practices" title="Requested changes">
      <BackLink href="/">Home</BackLink>
      <PageHeader
        title="Requested changes"
        lead="Some practices ask a second admin to confirm what widens access. You can confirm what someone else requested; a request expires after seven days."
      />
      {done !== undefined && (
        <Notice tone="good" role="status" className="mb-6">
          {done}
        </Notice>
      )}
      <div className="grid max-w-5xl gap-6">
        {waiting.length === 0 ? (
          <Empty title="Nothing awaits a second admin">
            <p>New practice access, the admin role and lower release rules appear here when a practice asks for it.</p>
          </Empty>
        ) : (
          <Panel title="Awaiting a second admin" aside={waiting.length} flush>
            <Waiting list={waiting} names={names} />
          </Panel>
        )}
        {decided.length > 0 && (
          <Panel title="Decided" aside="Last 60 days" flush>
            <Decided list={decided} names={names} />
          </Panel>
        )}
      </div>
    </Shell>
  );
}

const isWaiting = ({ status }: ListedChange) => status === "waiting";

function Waiting({ list, names }: ListedChanges) {
  return (
    <ul className="divide-y divide-line">
      {list.map((request) => (
        <li key={request.id} className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
          <div className="min-w-0 flex-1 basis-80">
            <p className="font-semibold wrap-anywhere">
              <PlainText>{changeText(request.change, names)}</PlainText>
            </p>
            <p className="text-sm text-ink-soft">
              Requested by <PlainText>{request.isOwn ? "you" : request.requestedByName}</PlainText>{" "}
              <Ago at={request.requestedAt} />. Expires <Time at={request.expiresAt} as="until" />.
            </p>
          </div>
          <ChangeActs request={request} text={changeText(request.change, names)} />
        </li>
      ))}
    </ul>
  );
}

function Decided({ list, names }: ListedChanges) {
  return (
    <Table
      caption="Requested changes that were decided"
      columns={["Change", { name: "Requested by", width: "md:w-44" }, { name: "Outcome", width: "md:w-64" }]}
    >
      {list.map(({ id, change, requestedByName, requestedAt, status, decidedByName, decidedAt }) => (
        <Row key={id}>
          <Cell className="wrap-anywhere">
            <PlainText>{changeText(change, names)}</PlainText>
          </Cell>
          <Cell label="Requested by">
            <PlainText>{requestedByName}</PlainText>
            <span className="block text-sm text-ink-faint">
              <Time at={requestedAt} as="until" />
            </span>
          </Cell>
          <Cell label="Outcome">
            <Badge tone={status === "confirmed" ? "good" : "plain"}>{changeStatusText[status]}</Badge>
            {decidedByName !== undefined && decidedAt && (
              <span className="block text-sm text-ink-faint">
                <PlainText>{`by ${decidedByName}`}</PlainText>, <Time at={decidedAt} as="until" />
              </span>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
