/** Characters in a line of 10-point Helvetica between the margins, about; lines on a page. */
const [charactersPerLine, linesPerPage] = [92, 52];

type Page = readonly string[];

/** A PDF of plain text, as long as it takes, with the title on each page. Latin letters only, as the demo has no others in its documents. */
export function textPdf({ title, text }: { readonly title: string; readonly text: string }): Uint8Array {
  const pages = pagesOf(text.split("\n").flatMap(wrap));
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages.flatMap((lines, index) => {
      const content = contentOf(lines, `${title}  -  page ${index + 1} of ${pages.length}  -  TEST`);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return Buffer.from(fileOf(objects), "latin1");
}

function wrap(paragraph: string): readonly string[] {
  const lines = [""];
  for (const word of paragraph.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length < charactersPerLine) lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function pagesOf(lines: readonly string[]): readonly Page[] {
  const pages: Page[] = [];
  for (let at = 0; at < lines.length; at += linesPerPage) pages.push(lines.slice(at, at + linesPerPage));
  return pages;
}

function contentOf(lines: Page, head: string): string {
  const written = (line: string) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`;
  const body = `BT /F1 10 Tf 13 TL 72 706 Td ${lines.map(written).join("\n")} ET`;
  return `BT /F1 8 Tf 72 748 Td ${written(head)} ET\n0.5 w 72 740 m 540 740 l S\n${body}`;
}

/** The objects with the table that says where each begins (ISO 32000-1, 7.5). */
function fileOf(objects: readonly string[]): string {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
