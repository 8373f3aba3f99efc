/** What a key does; each has one function in `acts.ts`. */
export type Act =
  | "next"
  | "previous"
  | "extend-next"
  | "extend-previous"
  | "select"
  | "preview"
  | "release"
  | "decline"
  | "request-information"
  | "recall"
  | "assign"
  | "assign-to-me"
  | "snooze"
  | "tab"
  | "next-document"
  | "previous-document"
  | "note"
  | "edit"
  | "confirm"
  | "search"
  | "help"
  | "palette"
  | "back";

export type Shortcut = {
  readonly act: Act;
  /** Any of these; as `chordOf` writes them. */
  readonly keys: readonly string[];
  readonly does: string;
  readonly group: "Lists and cases" | "The case at hand" | "Everywhere";
  /** Also while somebody types. */
  readonly whileTyping?: true;
};

/** Every shortcut but those that lead to a page, which are `g` and the key in the table of places. */
export const shortcuts: readonly Shortcut[] = [
  { act: "next", keys: ["j", "ArrowDown"], does: "Next row; on a case, the next case", group: "Lists and cases" },
  {
    act: "previous",
    keys: ["k", "ArrowUp"],
    does: "Previous row; on a case, the one before",
    group: "Lists and cases",
  },
  { act: "select", keys: ["x"], does: "Select the row; R, D, A or S then for all selected", group: "Lists and cases" },
  { act: "preview", keys: ["p"], does: "Turn the preview beside the list on or off", group: "Lists and cases" },
  { act: "extend-next", keys: ["Shift+ArrowDown"], does: "Select on to the next row", group: "Lists and cases" },
  { act: "extend-previous", keys: ["Shift+ArrowUp"], does: "Select on to the row before", group: "Lists and cases" },
  { act: "release", keys: ["r"], does: "Release", group: "The case at hand" },
  { act: "decline", keys: ["d"], does: "Decline", group: "The case at hand" },
  { act: "request-information", keys: ["i"], does: "Request information from the agent", group: "The case at hand" },
  { act: "recall", keys: ["u"], does: "Undo the release", group: "The case at hand" },
  { act: "assign-to-me", keys: ["c"], does: "Assign the case to me", group: "The case at hand" },
  { act: "assign", keys: ["a"], does: "Assign to someone", group: "The case at hand" },
  { act: "snooze", keys: ["s"], does: "Snooze the case", group: "The case at hand" },
  { act: "edit", keys: ["e"], does: "Edit the request", group: "The case at hand" },
  { act: "note", keys: ["n"], does: "Write a note", group: "The case at hand" },
  {
    act: "tab",
    keys: ["1", "2", "3", "4", "5"],
    does: "Documents, notes, earlier cases, payer, details",
    group: "The case at hand",
  },
  { act: "previous-document", keys: ["["], does: "Previous document", group: "The case at hand" },
  { act: "next-document", keys: ["]"], does: "Next document", group: "The case at hand" },
  {
    act: "confirm",
    keys: ["Mod+Enter"],
    does: "Confirm the decision you are at",
    group: "The case at hand",
    whileTyping: true,
  },
  { act: "search", keys: ["/"], does: "Search", group: "Everywhere" },
  {
    act: "palette",
    keys: ["Mod+k"],
    does: "Go to a case or a page, or do something",
    group: "Everywhere",
    whileTyping: true,
  },
  { act: "help", keys: ["?"], does: "Help", group: "Everywhere" },
  {
    act: "back",
    keys: ["Escape"],
    does: "Leave the field or the selection; from a case, back to the list",
    group: "Everywhere",
    whileTyping: true,
  },
];

/** Whether a key writes a character: only such keys can be switched off, and they never act while somebody types. */
export function isSingle(chord: string): boolean {
  return chord.split(" ").every((key) => key.length === 1);
}
