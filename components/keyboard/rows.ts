/** The rows of the lists on this page, in their order. A row is marked `data-row`, names its case and holds its link. */
export function rowsHere(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")];
}

export function rowOf(element: Element | null): HTMLElement | undefined {
  return element?.closest<HTMLElement>("[data-row]") ?? undefined;
}

export function focusRow(row: HTMLElement | undefined): boolean {
  const link = row?.querySelector<HTMLElement>("a[href]");
  link?.focus();
  return link !== null && link !== undefined;
}

export function boxOf(row: HTMLElement | undefined): HTMLInputElement | undefined {
  return row?.querySelector<HTMLInputElement>('input[type="checkbox"]:not(:disabled)') ?? undefined;
}

/** Where the reader is in the lists: it outlives the row, which somebody else may take away. */
let at: { readonly task: string | undefined; readonly index: number } | undefined;

/** Notes the row that has the focus. */
export function noteRow(element: Element | null): void {
  const row = rowOf(element);
  if (row) at = { task: row.dataset.task, index: rowsHere().indexOf(row) };
}

/** The row the reader is at; where it is gone, the one that took its place. */
export function rowAt(): HTMLElement | undefined {
  const rows = rowsHere();
  if (!at) return undefined;
  return rows.find((row) => row.dataset.task === at?.task) ?? rows[Math.min(at.index, rows.length - 1)];
}
