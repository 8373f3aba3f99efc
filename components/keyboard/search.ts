/** What is to be looked for on the page the reader is led to. It may be of a patient, so it is in no address. */
let wanted: string | undefined;

/** Looks for this with the search of the page; where there is none, with the queue's. */
export function searchFor(text: string, go: (href: string) => void): void {
  wanted = text;
  if (!enterSearch()) go("/queue#search");
}

/** Into the search of this page, and off with what was wanted of it. */
export function enterSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  if (!field) return false;
  field.focus();
  // What was searched for before goes with the first letter.
  field.select();
  if (wanted === undefined) return true;
  field.value = wanted;
  wanted = undefined;
  field.form?.requestSubmit();
  return true;
}
