/** What a form is filled in with; where it has none of these, its button. */
const fields = "textarea, select, input:not([type=hidden])";

/** Where the focus was before a key took it to a form; `Escape` gives it back. */
let before: HTMLElement | undefined;

/** Shows a form that is folded away or not chosen, and puts the focus into the first of its fields, or on its button. */
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

/** The first field of a form, wherever on the page it stands. */
function fieldOf(form: HTMLFormElement): HTMLElement | undefined {
  const all = [...form.elements].filter((one): one is HTMLElement => one instanceof HTMLElement);
  return all.find((one) => one.matches(fields)) ?? all.find((one) => one.matches("button"));
}

function enter(control: HTMLElement | undefined): void {
  if (!control) return;
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement !== document.body && !activeElement.closest("form"))
    before = activeElement;
  control.focus();
  control.scrollIntoView({ block: "nearest" });
}
