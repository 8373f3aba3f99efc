const printedCharsMax = 1_000;

/** What ends a line for some of those who read it, or speaks to a terminal, and stands in JSON as it is. */
const uneasy = /[\u007f-\u009f\u2028\u2029]/g;

/**
 * What the log file keeps of a line a program wrote: an entry of its log as it is, and anything else as the text of an
 * entry, so that nothing printed past the log stands there as one. On standard error nothing is an entry.
 */
export function keptLine(line, { name, isComplaint }) {
  if (!isComplaint && isEntry(line)) return line.replaceAll(uneasy, escaped);
  const [level, time] = [isComplaint ? "error" : "info", new Date().toISOString()];
  const printed = [plainText(line.slice(0, printedCharsMax))];
  return JSON.stringify({ level, time, process: name, printed, msg: "something was printed" });
}

/** A text that moves no cursor and ends no line, wherever it is shown. */
export function plainText(text) {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
}

function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function isEntry(line) {
  if (!line.startsWith("{")) return false;
  try {
    return JSON.parse(line).level !== undefined;
  } catch {
    return false;
  }
}
