/** A labeled value of the packet. A value may have several lines. */
export type PacketLine = readonly [label: string, value: string];

export type PacketSection = { readonly title: string; readonly lines: readonly PacketLine[] };

const inset = "    ";

/**
 * The packet as text. The further lines of a value are indented, so that no value can look like a line or a heading of the
 * packet. Labels are ours and contain no `: `.
 */
export function writePacket(sections: readonly PacketSection[]): string {
  return `${sections.map(writeSection).join("\n\n")}\n`;
}

/**
 * The sections of a written packet, for a page that lays them out. Undefined if writing them again would give another text;
 * the page must then show the text itself, so that it never differs from what was released.
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
