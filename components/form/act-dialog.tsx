"use client";

import { useId, useRef, useSyncExternalStore, type ReactNode } from "react";
import { X } from "lucide";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { noAnswer, type ActAnswer, type ProofKind } from "./act-answer.tsx";
import { ActBody, ActButtons, useAct, type Act } from "./act-form.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Button, buttonClass, type ButtonTone } from "./plain-button.tsx";
import { Secret } from "./secret.tsx";
import { SubmitButton } from "./submit-button.tsx";

type Props = {
  readonly act: Act;
  /** What is sent along, by the names of fields. */
  readonly about?: Readonly<Record<string, string>> | undefined;
  /** The words of the button that opens it. */
  readonly label: string;
  /** What tells the button from others like it, for those who do not see where it stands. */
  readonly labelMore?: string | undefined;
  readonly tone?: ButtonTone | undefined;
  readonly title: string;
  /** The words of the button that does it. */
  readonly confirm: string;
  readonly confirmTone?: ButtonTone | undefined;
  readonly asks?: ProofKind | undefined;
  readonly className?: string | undefined;
  /** What it comes to, and fields. */
  readonly children: ReactNode;
};

/**
 * A button that opens a dialog with a form. The browser itself opens it and closes it (invoker commands, or as a popover
 * where it knows none, as Safari before 26.2), so that it works without JavaScript; a form that was refused is drawn open.
 * A secret in it stays until the reader says that it is copied.
 */
export function ActDialog({ label, labelMore, tone, title, className, ...form }: Props) {
  const id = useId();
  const here = useRef<HTMLDialogElement>(null);
  const [answer, submit] = useAct(form.act, { onLeave: () => closeDialog(here.current) });
  const { secret, secretText } = answer;
  const invoking = useInvoking(id);
  const isSecret = secret !== undefined && secretText !== undefined;
  return (
    <>
      <button
        type="button"
        className={classNames(buttonClass({ tone }), className)}
        onClick={(event) => {
          if (!isUninvoked()) return;
          // Above the page as a dialog, which is more than a popover.
          event.preventDefault();
          here.current?.showModal();
        }}
        {...invoking("show-modal")}
      >
        {label}
        {labelMore !== undefined && <span className="sr-only"> {labelMore}</span>}
      </button>
      <FormDialog
        here={here}
        id={id}
        title={isSecret ? secretText.title : title}
        news={answer !== noAnswer && hasNews(answer) ? answer : undefined}
        stays={isSecret}
        close={!isSecret && <CloseButton id={id} />}
      >
        {isSecret ? (
          <Secret text={secret} about={secretText} />
        ) : (
          <Body {...form} id={id} answer={answer} submit={submit} />
        )}
      </FormDialog>
    </>
  );
}

function CloseButton({ id }: { readonly id: string }) {
  const invoking = useInvoking(id);
  return (
    <Button
      type="button"
      tone="quiet"
      aria-label="Close"
      className="-me-2 px-2!"
      onClick={closeWithout}
      {...invoking("close")}
    >
      <Icon of={X} />
    </Button>
  );
}

type DialogBodyProps = Pick<Props, "about" | "confirm" | "confirmTone" | "asks" | "children"> & {
  readonly id: string;
  readonly answer: ActAnswer;
  readonly submit: (form: FormData) => void;
};

function Body({ id, answer, submit, about = {}, confirm, confirmTone = "primary", asks, children }: DialogBodyProps) {
  const invoking = useInvoking(id);
  return (
    <ActBody answer={answer} submit={submit} asks={asks}>
      {Object.entries(about).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <ActButtons>
        <SubmitButton tone={confirmTone}>{confirm}</SubmitButton>
        <Button type="button" tone="quiet" onClick={closeWithout} {...invoking("close")}>
          Cancel
        </Button>
      </ActButtons>
    </ActBody>
  );
}

/** An answer that has to be seen: not that of a form which was carried out and shows nothing. */
function hasNews({ alert, problems, asks, secret, review }: ActAnswer): boolean {
  return [alert, asks, secret, review].some((each) => each !== undefined) || Object.keys(problems).length > 0;
}

function closeWithout({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  if (isUninvoked()) closeDialog(currentTarget.closest("dialog"));
}

/** Where a browser knows no invoker commands, what was opened before the page's script came is open as a popover. */
function closeDialog(dialog: HTMLDialogElement | null): void {
  dialog?.close();
  if (dialog?.popover) dialog.hidePopover();
}

/** A browser that knows no invoker commands is told by a script. */
function isUninvoked(): boolean {
  return !("commandForElement" in HTMLButtonElement.prototype);
}

/**
 * The attributes of a button that opens or closes the dialog; React passes on commands, which its types do not know yet.
 * Those of a popover are there only until the page's script runs: with them a button is read aloud as collapsed for ever.
 */
function useInvoking(id: string): (command: "show-modal" | "close") => object {
  const hasScript = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (command) => {
    const invoked = { commandfor: id, command };
    if (hasScript) return invoked;
    return { ...invoked, popoverTarget: id, popoverTargetAction: command === "close" ? "hide" : "show" };
  };
}

function never(): () => void {
  return () => undefined;
}
