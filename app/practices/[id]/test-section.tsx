import { ActForm } from "#components/form/act-form";
import { Badge } from "#components/list/badge";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import type { ShownRoute } from "#lib/practice/show-route";
import { tryRoute } from "./route-actions.ts";

const names = { address: "Address", token: "Token", answer: "Answer" } as const;

/** The last test of this very version, step by step, and the button for the next. */
export function TestSection({ route, test }: Pick<ShownRoute, "route" | "test">) {
  if (route.connector === "manual")
    return (
      <Section title="Connection">
        <p className="text-ink-soft">Manual submission: there is no connection to test.</p>
      </Section>
    );
  return (
    <Section
      title="Connection"
      aside={
        test ? (
          <>
            tested <Time at={test.at} as="age" /> ago
          </>
        ) : (
          "this version was not tested yet"
        )
      }
    >
      {test && <TestSteps steps={test.steps} />}
      <ActForm act={tryRoute}>
        <input type="hidden" name="practiceId" value={route.practiceId} />
        <input type="hidden" name="payerId" value={route.payerId} />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton>Test connection</SubmitButton>
          <span className="text-sm text-ink-faint">No patient data is sent.</span>
        </div>
      </ActForm>
    </Section>
  );
}

/** The steps of a test, each with what came of it. */
export function TestSteps({ steps }: { readonly steps: readonly ConnectionTestStep[] }) {
  return (
    <ol className="mb-4 grid gap-2">
      {steps.map(({ name, ok, says, ms }) => (
        <li key={name} className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3">
          <span>
            <Badge tone={ok ? "good" : "bad"}>{ok ? "Passed" : "Failed"}</Badge>
          </span>
          <span className="wrap-anywhere">
            <strong className="font-semibold">{names[name]}</strong> <PlainText>{says}</PlainText>{" "}
            <span className="text-sm text-ink-faint tabular-nums">{ms} ms</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
