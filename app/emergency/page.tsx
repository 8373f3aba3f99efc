import { redirect } from "next/navigation";
import { ActButtons, ActForm, ActSelect, ActText, ActTextArea } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Empty } from "#components/list/empty";
import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { BackLink } from "#components/shell/back-link";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { isAdmin } from "#lib/access/model/actor";
import { contextOf, requirePerson, upcomingProof } from "#lib/person/session/person";
import { env } from "#lib/platform/env";
import { listPractices } from "#lib/practice/list-practices";
import { listEmergencyAccesses, type EmergencyAccess } from "#lib/task/emergency-access";
import { shortIdOf } from "#lib/task/model/short-id";
import { openInEmergency } from "./actions.ts";

/** Who opened which case in an emergency and why, for everybody who works there or audits it; and where admins open one. */
export default async function EmergencyPage() {
  const person = await requirePerson("/emergency");
  if (person.roles.length === 0) redirect("/not-found");
  const onlyAudits = person.roles.every((role) => role === "auditor");
  const ctx = contextOf(person);
  const list = await listEmergencyAccesses(ctx);
  const administered = isAdmin(person) ? await listPractices(ctx) : undefined;
  const allowing = administered?.ok ? administered.value.filter((practice) => practice.emergencyAccess) : [];
  return (
    <Shell
      person={person}
      current={isAdmin(person) ? "practices" : onlyAudits ? "audit" : "queue"}
      title="Emergency access"
    >
      {onlyAudits ? <BackLink href="/audit">Audit</BackLink> : <BackLink href="/">Home</BackLink>}
      <PageHeader
        title="Emergency access"
        lead="Cases that an admin opened without reviewing for the practice. Each is in the audit log, and its reviewers and admins were notified."
      />
      <div className="grid max-w-4xl gap-6">
        {allowing.length > 0 && <OpenForm practices={allowing} />}
        {list.length > 0 ? (
          <Accesses list={list} own={person.id} />
        ) : (
          <Empty title="No case was opened in an emergency">
            <p>
              {allowing.length > 0 || onlyAudits
                ? "Each one appears here with who opened it and why."
                : "No practice of yours allows it. An admin turns it on in a practice under Rules, Security."}
            </p>
          </Empty>
        )}
      </div>
    </Shell>
  );
}

async function OpenForm({
  practices,
}: {
  readonly practices: readonly { readonly id: string; readonly name: string }[];
}) {
  return (
    <Panel title="Open a case">
      <p className="mb-4 max-w-prose text-ink-soft">
        You can read it for one hour, and decide nothing. Your reason is kept, and the reviewers and other admins of the
        practice {env().SMTP_URL === undefined ? "see it on their home page" : "get an email at once"}.
      </p>
      <ActForm act={openInEmergency} asks={await upcomingProof()}>
        <div className="grid gap-4 sm:grid-cols-2">
          <ActSelect
            label="Practice"
            name="practiceId"
            options={practices.map(({ id, name }) => ({ value: id, text: name }))}
          />
          <ActText
            label="Case ID"
            name="caseId"
            required
            maxLength={36}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            hint="The eight characters that the agent or a reviewer names."
          />
        </div>
        <ActTextArea
          label="Reason"
          name="reason"
          required
          rows={3}
          maxLength={1000}
          hint="Why it can't wait for a reviewer. The practice's reviewers, admins and auditors read it."
        />
        <ActButtons>
          <SubmitButton tone="danger">Open case</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}

function Accesses({ list, own }: { readonly list: readonly EmergencyAccess[]; readonly own: string }) {
  return (
    <Panel title="Opened cases" aside={list.length} flush>
      <Table
        caption="Cases opened in an emergency, the latest first"
        columns={["Case", "Opened by", "Reason", "Opened"]}
      >
        {list.map(({ id, taskId, practiceName, by, reason, openedAt, isOpen }) => (
          <Row key={id}>
            <Cell>
              {isOpen && by.id === own ? (
                <a href={`/tasks/${taskId}/emergency`} className="font-mono font-semibold underline">
                  {shortIdOf(taskId)}
                </a>
              ) : (
                <span className="font-mono font-semibold">{shortIdOf(taskId)}</span>
              )}
              <span className="block text-sm text-ink-faint">
                <PlainText>{practiceName}</PlainText>
              </span>
            </Cell>
            <Cell label="Opened by">
              <PlainText>{by.name}</PlainText>
            </Cell>
            <Cell label="Reason" className="wrap-anywhere">
              <PlainText>{reason}</PlainText>
            </Cell>
            <Cell label="Opened">
              <Time at={openedAt} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
