import { plainText } from "./kept-line.mjs";

const levels = { 40: "warning", 50: "error", 60: "fatal", warn: "warning", error: "error", fatal: "fatal" };

/** What the console shows of a program's line: of its log, warnings and worse in a sentence; of the rest, complaints. */
export function shownLine(line, { isComplaint }) {
  const entry = parse(line);
  if (entry === undefined) return isComplaint && line.trim() !== "" ? plainText(line) : undefined;
  const word = levels[entry.level];
  if (word === undefined) return undefined;
  const causes = [entry.err?.message, ...(entry.printed ?? [])].filter((text) => text !== undefined);
  const cause = causes.length === 0 ? "" : ` (${causes.join(" ")})`;
  const request = entry.requestId === undefined ? "" : `, request ${entry.requestId}`;
  return plainText(`${word}: ${entry.msg ?? ""}${cause}${request}`);
}

function parse(line) {
  if (!line.startsWith("{")) return undefined;
  try {
    const entry = JSON.parse(line);
    return entry.level === undefined ? undefined : entry;
  } catch {
    return undefined;
  }
}
