/** A line of the sheet a person sends: what it is, and what stands there. A value may run over several lines. */
export type PacketLine = readonly [label: string, value: string];

export type PacketSection = { readonly title: string; readonly lines: readonly PacketLine[] };

const inset = "    ";

/**
 * The sheet as text. Later lines of a value are set in, so that no value can
 * pose as a line or a heading of the sheet. Labels are ours and hold no `: `.
 */
export function writePacket(sections: readonly PacketSection[]): string {
  return `${sections.map(writeSection).join("\n\n")}\n`;
}

/**
 * The sections of a written sheet, for a page that lays them out. Undefined
 * where writing them again would give any other text: then the text itself is
 * to be shown, so that a layout never differs from what was released.
 */
export function readPacket(text: string): readonly PacketSection[] | undefined {
  const sections = text.replace(/\n$/, "").split("\n\n").map(readSection);
  return writePacket(sections) === text ? sections : undefined;
}

function writeSection({ title, lines }: PacketSection): string {
  const written = lines.map(([label, value]) => `${label}: ${linesOf(value).join(`\n${inset}`)}`);
  return [title, "-".repeat(title.length), ...written].join("\n");
}

function readSection(text: string): PacketSection {
  const [title = "", _, ...rest] = text.split("\n");
  const lines: PacketLine[] = [];
  for (const line of rest) {
    const [label, value] = lines.at(-1) ?? ["", ""];
    if (line.startsWith(inset)) lines.splice(-1, 1, [label, `${value}\n${line.slice(inset.length)}`]);
    else lines.push([line.split(": ", 1)[0] ?? "", line.slice(line.indexOf(": ") + 2)]);
  }
  return { title, lines };
}

function linesOf(value: string): string[] {
  return value.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
}
