import { redirect } from "next/navigation";
import { showRouteDraft } from "#lib/practice/draft/route-draft";
import { showDirectory } from "#lib/practice/directory/show-directory";
import { showPractice } from "#lib/practice/list-practices";
import { showRoute } from "#lib/practice/show-route";
import { contextOf, requirePerson } from "#lib/person/session/person";
import { draftPath, newRoutePath } from "../paths.ts";
import { AccessStep } from "./access-step.tsx";
import { ActivateStep } from "./activate-step.tsx";
import { PayerStep } from "./payer-step.tsx";
import { TestStep } from "./test-step.tsx";
import { isWizardStep, WizardFrame } from "./wizard-frame.tsx";

type Props = {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<Readonly<Record<"payer" | "draft" | "step", string | string[] | undefined>>>;
};

/** A payer connection step by step: a new one, a change of the one to the payer in the address, or a draft of either. */
export default async function NewRoutePage({ params, searchParams }: Props) {
  const { id } = await params;
  const { payer, draft, step } = await searchParams;
  if (typeof draft === "string") return <DraftSteps practiceId={id} draftId={draft} stepInAddress={step} />;
  return <FirstStep practiceId={id} payerId={typeof payer === "string" ? payer : undefined} />;
}

async function FirstStep({
  practiceId,
  payerId,
}: {
  readonly practiceId: string;
  readonly payerId: string | undefined;
}) {
  const person = await requirePerson(newRoutePath(practiceId, payerId));
  const ctx = contextOf(person);
  const found = await showPractice(ctx, { practiceId });
  if (!found.ok) redirect("/not-found");
  const directory = await showDirectory(ctx, { practiceId });
  if (!directory.ok) redirect("/not-found");
  const { payers } = directory.value;
  const listed = payers.find((payer) => payer.payerId === payerId);
  const active = payerId === undefined ? undefined : await showRoute(ctx, { practiceId, payerId });
  const route = active?.ok ? active.value.route : undefined;
  return (
    <WizardFrame person={person} practice={found.value} step="payer" isManual={false}>
      <PayerStep
        practiceId={found.value.id}
        known={route ?? { payerId, payerName: listed?.name, connector: listed?.connector }}
        isFixed={route !== undefined}
        directory={payers}
      />
    </WizardFrame>
  );
}

type DraftProps = { readonly practiceId: string; readonly draftId: string; readonly stepInAddress: unknown };

async function DraftSteps({ practiceId, draftId, stepInAddress }: DraftProps) {
  const step = isWizardStep(stepInAddress) ? stepInAddress : "access";
  const person = await requirePerson(draftPath(practiceId, draftId, step));
  const found = await showRouteDraft(contextOf(person), { practiceId, draftId });
  if (!found.ok) redirect("/not-found");
  const { practice, draft, activeVersion } = found.value;
  const isManual = draft.input.connector === "manual";
  return (
    <WizardFrame person={person} practice={practice} draftId={draftId} step={step} isManual={isManual}>
      {step === "payer" && (
        <PayerStep
          practiceId={practiceId}
          draftId={draftId}
          known={draft.input}
          isFixed={activeVersion !== undefined}
        />
      )}
      {step === "access" && <AccessStep draft={draft} />}
      {step === "test" && <TestStep draft={draft} />}
      {step === "activate" && <ActivateStep practice={practice} draft={draft} activeVersion={activeVersion} />}
    </WizardFrame>
  );
}
