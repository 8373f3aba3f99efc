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

/** Where the reader is in the lists, as they were: it outlives the row, which a decision or somebody else may take away. */
let at: { readonly task: string | undefined; readonly index: number } | undefined;
let order: readonly (string | undefined)[] = [];

/** Notes the row that has the focus. */
export function noteRow(element: Element | null): void {
  const row = rowOf(element);
  if (!row) return;
  const rows = rowsHere();
  order = rows.map(({ dataset }) => dataset.task);
  at = { task: row.dataset.task, index: rows.indexOf(row) };
}

/** Notes that the reader went on to this case of the list they came from. */
export function noteCase(task: string): void {
  const index = order.indexOf(task);
  if (index !== -1) at = { task, index };
}

/** The row the reader is at; where it is gone, the first that followed it, else the one that took its place. */
export function rowAt(): HTMLElement | undefined {
  if (!at) return undefined;
  const rows = rowsHere();
  const following = [at.task, ...order.slice(at.index + 1)];
  const next = following.find((task) => rows.some((row) => row.dataset.task === task));
  if (next !== undefined) return rows.find((row) => row.dataset.task === next);
  return rows[Math.min(at.index, rows.length - 1)];
}
