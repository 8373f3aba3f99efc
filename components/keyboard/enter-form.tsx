/** What a form is filled in with; where it has none of these, its button. */
const fields = "textarea, select, input:not([type=hidden])";

/** Where the focus was before a key took it to a form; `Escape` gives it back. */
let before: HTMLElement | undefined;

/** Shows a form that is folded away or not chosen, and puts the focus into the field it is for, or on its button. */
export function enterForm(form: HTMLFormElement): boolean {
  const { form: act = "" } = form.dataset;
  for (const panel of [...document.querySelectorAll<HTMLElement>("[role=tabpanel][hidden]")])
    if (panel.contains(form)) document.getElementById(panel.getAttribute("aria-labelledby") ?? "")?.click();
  document.querySelector<HTMLInputElement>(`input[type=radio][data-chooses="${CSS.escape(act)}"]`)?.click();
  for (let fold = form.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
  // A tab is shown with the next frame.
  requestAnimationFrame(() => enter(fieldOf(form)));
  return true;
}

/** Back to where the focus was. */
export function leaveForm(): void {
  const to = before?.isConnected ? before : document.getElementById("main");
  to?.focus();
}

/** The form around a control, or the decision that a control elsewhere on the page belongs to, as an override reason does. */
export function formOf(element: Element | null): HTMLFormElement | null {
  const around = element?.closest("form");
  if (around) return around;
  const form = element && "form" in element ? element.form : undefined;
  return form instanceof HTMLFormElement && form.dataset.form !== undefined ? form : null;
}

/** The field that a form says is for the keyboard, else its first, wherever on the page it stands. */
function fieldOf(form: HTMLFormElement): HTMLElement | undefined {
  const all = [...form.elements].filter((one): one is HTMLElement => one instanceof HTMLElement);
  const first = ["[data-entered]", fields, "button"];
  return first.map((selector) => all.find((one) => one.matches(selector))).find((one) => one !== undefined);
}

function enter(control: HTMLElement | undefined): void {
  if (!control) return;
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body && !formOf(activeElement))
    before = activeElement;
  control.focus();
  control.scrollIntoView({ block: "nearest" });
}
