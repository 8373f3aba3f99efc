/** The event that a row was selected by a key or a click, without being opened. */
export const rowChosen = "row-chosen";

export function chooseRow(row: Element): void {
  row.dispatchEvent(new CustomEvent(rowChosen, { bubbles: true }));
}
