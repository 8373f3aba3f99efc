/** Whether somebody has typed words on this page that going away would lose. */
export function isTyped(): boolean {
  const fields = document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>(
    "#main form[data-form] :is(textarea, input)",
  );
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}
