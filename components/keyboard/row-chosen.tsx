/** Said of a row that somebody chose by a key or a click, and did not open. */
export const rowChosen = "row-chosen";

export function chooseRow(row: Element): void {
  row.dispatchEvent(new CustomEvent(rowChosen, { bubbles: true }));
}
