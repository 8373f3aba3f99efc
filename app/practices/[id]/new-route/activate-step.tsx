import { ActBoxes, ActButtons, ActForm } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Facts } from "#components/list/facts";
import { Panel } from "#components/list/panel";
import { EnvironmentMark } from "#components/list/badge";
import { Notice } from "#components/shell/notice";
import { PlainText } from "#components/text/plain-text";
import { connectorText } from "#lib/messages/connector-text";
import { lineText } from "#lib/messages/admin/practice";
import { upcomingProof } from "#lib/person/session/person";
import type { RouteDraft, ShownDraft } from "#lib/practice/draft/route-draft";
import { requiredText } from "#lib/messages/labels/required-fields";
import { activateConnection } from "./actions.ts";

/** The last step: what becomes active, and what becomes of requests that wait. */
export async function ActivateStep({ practice, draft, activeVersion }: ShownDraft) {
  const { id, practiceId, input, test } = draft;
  const isUntested = input.connector !== "manual" && test?.ok !== true;
  return (
    <Panel title="Activate">
      <Facts list={factsOf(draft, practice.environment)} />
      <ActForm act={activateConnection} asks={await upcomingProof()} className="mt-5 grid gap-4">
        <input type="hidden" name="practiceId" value={practiceId} />
        <input type="hidden" name="draftId" value={id} />
        <p className="max-w-prose text-ink-soft">
          {activeVersion === undefined
            ? "New requests to this payer go over this connection."
            : `Replaces version ${activeVersion} of this connection.`}{" "}
          Requests awaiting release are prepared again for it, because a release covers the address it is submitted to.
        </p>
        {isUntested && (
          <Notice tone="warn" title={test === undefined ? "Not tested" : "The last test failed"}>
            <div className="mt-2">
              <ActBoxes name="untested" list={[{ value: "yes", label: "Activate without a passing test" }]} />
            </div>
          </Notice>
        )}
        <ActButtons>
          <SubmitButton tone="primary">Activate connection</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}

function factsOf({ input, test, hasCredential }: RouteDraft, environment: "live" | "test") {
  const { payerId, payerName, connector, url, lineOfBusiness, requiredFields, keepCredential } = input;
  return [
    { name: "Payer", value: <PlainText>{payerName === undefined ? payerId : `${payerName} (${payerId})`}</PlainText> },
    { name: "Connection type", value: connectorText(connector) },
    url === undefined ? undefined : { name: "Address", value: <PlainText>{url}</PlainText> },
    connector === "manual"
      ? undefined
      : { name: "Credential", value: hasCredential || keepCredential ? "Stored" : "None" },
    { name: "Line of business", value: lineText(lineOfBusiness) },
    { name: "Environment", value: <EnvironmentMark environment={input.environment ?? environment} /> },
    requiredFields.length === 0
      ? undefined
      : { name: "Requires", value: new Intl.ListFormat("en").format(requiredFields.map(requiredText)) },
    connector === "manual"
      ? undefined
      : { name: "Test", value: test === undefined ? "Not tested" : test.ok ? "Passed" : "Failed" },
  ];
}
