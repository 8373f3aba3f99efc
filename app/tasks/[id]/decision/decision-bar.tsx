"use client";

import { enterForm } from "#components/keyboard/enter-form";
import { buttonClass, type ButtonTone } from "#components/form/plain-button";
import type { Possible } from "#lib/task/views";

const answers: readonly { readonly possible: Possible; readonly name: string; readonly tone: ButtonTone }[] = [
  { possible: "release", name: "Release", tone: "primary" },
  { possible: "request-information", name: "Request info", tone: "plain" },
  { possible: "decline", name: "Decline", tone: "plain" },
];

type Props = {
  readonly can: readonly Possible[];
  readonly isOpen: boolean;
  /** The request is being corrected, and nothing else is to be pressed. */
  readonly isEdited: boolean;
};

const look =
  "sticky bottom-0 z-20 grid auto-cols-fr grid-flow-col gap-2 border-t border-line bg-surface p-2 shadow-lg lg:hidden print:hidden";

/**
 * At the foot of a small screen: the answers there are, each leading to its form, or else the way past the request and
 * its evidence to where the case stands. Nothing is decided here, so nothing has the color of what lets a request leave.
 */
export function DecisionBar({ can, isOpen, isEdited }: Props) {
  const offered = isOpen ? answers.filter(({ possible }) => can.includes(possible)) : [];
  if (isEdited) return null;
  if (offered.length === 0)
    return (
      <nav aria-label="Status" className={look}>
        <a href="#decision" className={`${buttonClass({})} min-h-11`}>
          Status and next steps
        </a>
      </nav>
    );
  return (
    <nav aria-label="Decide" className={look}>
      {offered.map(({ possible, name, tone }) => (
        <a
          key={possible}
          href="#decision"
          onClick={(event) => {
            const form = document.querySelector<HTMLFormElement>(`form[data-form="${possible}"]`);
            if (!form) return;
            event.preventDefault();
            enterForm(form);
          }}
          className={`${buttonClass({ tone })} min-h-11`}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
