import { ActForm } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import type { RouteDraft } from "#lib/practice/draft/route-draft";
import { draftPath } from "../paths.ts";
import { TestSteps } from "../test-section.tsx";
import { testConnection } from "./actions.ts";

/** The third step: whether the payer answers as the draft has it. */
export function TestStep({ draft: { id, practiceId, test } }: { readonly draft: RouteDraft }) {
  return (
    <Panel title="Test the connection">
      <p className="mb-4 max-w-prose text-ink-soft">
        Connects exactly as a submission will: address and certificate, token, answer. No patient data is sent.
      </p>
      {test && <TestSteps steps={test.steps} />}
      {test?.ok === false && (
        <p role="status" className="mb-4 font-semibold text-bad">
          The test failed. Correct the address or the credential, then test again.
        </p>
      )}
      {test?.ok === true && (
        <p role="status" className="mb-4 font-semibold text-good">
          The test passed.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {test?.ok === true && (
          <ButtonLink href={draftPath(practiceId, id, "activate")} tone="primary">
            Continue
          </ButtonLink>
        )}
        <ActForm act={testConnection} className="contents">
          <input type="hidden" name="practiceId" value={practiceId} />
          <input type="hidden" name="draftId" value={id} />
          <SubmitButton tone={test?.ok === true ? undefined : "primary"}>
            {test ? "Test again" : "Test connection"}
          </SubmitButton>
        </ActForm>
        {test?.ok !== true && (
          <ButtonLink href={draftPath(practiceId, id, "activate")} tone="quiet">
            Continue without a passing test
          </ButtonLink>
        )}
      </div>
    </Panel>
  );
}
