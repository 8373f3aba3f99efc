/**
 * Whether somebody has typed words on this page that going away would lose. A form that the server refused holds what
 * was typed as if it had come with the page, so it says so itself, by `data-refused`.
 */
export function isTyped(): boolean {
  const fields = document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>(
    "#main form[data-form] :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))",
  );
  return [...fields].some(({ value, defaultValue, form }) =>
    form?.dataset.refused === undefined ? value !== defaultValue : value !== "",
  );
}
