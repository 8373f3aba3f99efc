import { Check } from "lucide";
import Link from "next/link";
import type { ReactNode } from "react";
import { BackLink } from "#components/shell/back-link";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { PageHeader } from "#components/shell/page-header";
import { Shell } from "#components/shell/shell";
import { PlainText } from "#components/text/plain-text";
import type { PersonActor } from "#lib/access/model/actor";
import { draftPath, practicePath } from "../paths.ts";

const stepNames = {
  payer: "Payer",
  access: "Address and credential",
  test: "Test",
  activate: "Activate",
} as const;

export type WizardStep = keyof typeof stepNames;

export function isWizardStep(word: unknown): word is WizardStep {
  return typeof word === "string" && Object.hasOwn(stepNames, word);
}

type Props = {
  readonly person: PersonActor;
  readonly practice: { readonly id: string; readonly name: string };
  readonly draftId?: string | undefined;
  readonly step: WizardStep;
  /** A connection without anything to test. */
  readonly isManual: boolean;
  readonly children: ReactNode;
};

/** What stands around each step: whose connection it is, and which steps there are. */
export function WizardFrame({ person, practice, draftId, step, isManual, children }: Props) {
  // Safe because these are the object's own keys.
  const steps = (Object.keys(stepNames) as WizardStep[]).filter((each) => !isManual || each !== "test");
  const at = steps.indexOf(step);
  return (
    <Shell person={person} current="practices" title={`Payer connection: ${stepNames[step]}`}>
      <BackLink href={practicePath(practice.id, "connections")}>
        <PlainText>{practice.name}</PlainText>
      </BackLink>
      <PageHeader title="Payer connection" lead="Nothing is active until the last step." />
      <ol aria-label="Steps" className="mb-6 flex flex-wrap gap-x-6 gap-y-2">
        {steps.map((each, index) => (
          <li
            key={each}
            aria-current={each === step ? "step" : undefined}
            className={classNames("flex items-center gap-2", each === step ? "font-semibold" : "text-ink-soft")}
          >
            <span
              className={classNames(
                "grid size-6 place-items-center rounded-full border text-xs font-semibold",
                each === step ? "border-inverse bg-inverse text-on-inverse" : "border-line-strong",
              )}
            >
              {index < at ? <Icon of={Check} size={14} /> : index + 1}
            </span>
            {index < at && draftId !== undefined ? (
              <Link
                href={draftPath(practice.id, draftId, each)}
                prefetch={false}
                className="underline hover:no-underline"
              >
                {stepNames[each]}
              </Link>
            ) : (
              stepNames[each]
            )}
          </li>
        ))}
      </ol>
      <div className="max-w-3xl">{children}</div>
    </Shell>
  );
}
