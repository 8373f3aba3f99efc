import { ExternalLink } from "lucide";
import { Badge } from "#components/list/badge";
import { Digest } from "#components/text/digest";
import { Facts } from "#components/list/facts";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { Section } from "#components/list/section";
import type { AttachmentType } from "#lib/task/model/attachment";
import { savedName } from "#lib/task/model/file-name";
import type { CaseView } from "#lib/task/views";
import { sizeText } from "./size-text.ts";

type File = CaseView["attachments"][number];

export const typeTexts: Readonly<Record<AttachmentType, string>> = {
  "application/pdf": "PDF",
  "image/png": "PNG image",
  "image/jpeg": "JPEG image",
  "image/tiff": "TIFF image",
  "application/xml": "XML",
  "text/plain": "Text",
};

/** The files of the revision; each opens in its place, and is asked for only then. */
export function Attachments({ view }: { readonly view: CaseView }) {
  const { attachments, taskId } = view;
  const bytes = attachments.reduce((sum, { size }) => sum + size, 0);
  const count = attachments.length === 1 ? "one file" : `${attachments.length} files`;
  if (attachments.length === 0) {
    return (
      <Section title="Attachments">
        <p className="text-ink-soft">None.</p>
      </Section>
    );
  }
  return (
    <Section title="Attachments" aside={`${count}, ${sizeText(bytes)}`}>
      <ul className="grid divide-y divide-line">
        {attachments.map((file) => (
          <li key={file.sha256} className="py-1.5 first:pt-0 last:pb-0">
            <Attached file={file} href={`/tasks/${taskId}/attachments/${file.sha256}`} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type ShownProps = { readonly file: Pick<File, "name" | "contentType">; readonly href: string };
type AttachedProps = { readonly file: File; readonly href: string };

function Attached({ file, href }: AttachedProps) {
  const { name, contentType, size, since, sha256, isNew } = file;
  return (
    <details>
      <summary className="wrap-anywhere">
        <span className="font-semibold">
          <PlainText>{name ?? "Without a name"}</PlainText>
        </span>{" "}
        <span className="text-sm whitespace-nowrap text-ink-faint">
          {typeTexts[contentType]}, {sizeText(size)}, since revision {since}
        </span>{" "}
        {isNew && <Badge tone="news">New</Badge>}
      </summary>
      <div className="mt-2 mb-2 grid gap-3">
        <Shown file={file} href={href} />
        <Facts
          list={[
            { name: "SHA-256", value: <Digest value={sha256} /> },
            { name: "Size", value: `${size.toLocaleString("en-US")} bytes of ${contentType}` },
          ]}
        />
        <p className="flex flex-wrap gap-x-4 gap-y-1 print:hidden">
          {contentType !== "image/tiff" && (
            <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 underline">
              Open in a new tab
              <Icon of={ExternalLink} size={14} />
            </a>
          )}
          <a href={href} download={savedName(file)} className="underline">
            Save
          </a>
        </p>
      </div>
    </details>
  );
}

/** A file in its place: an image or a frame, asked for only when it shows. */
export function Shown({ file: { name, contentType }, href }: ShownProps) {
  const title = name ?? typeTexts[contentType];
  switch (contentType) {
    case "image/png":
    case "image/jpeg":
      return (
        // eslint-disable-next-line nextjs/no-img-element -- the image is the record; nothing may make another of it
        <img
          src={href}
          alt={title}
          loading="lazy"
          className="max-h-[70dvh] w-fit max-w-full rounded-md border border-line bg-[white]"
        />
      );
    case "application/pdf":
      // What the viewers of Chromium and Acrobat read: the page in the width there is, without the pane beside it.
      return <Framed href={`${href}#navpanes=0&view=FitH`} title={title} className="h-[75dvh]" />;
    case "application/xml":
    case "text/plain":
      return <Framed href={href} title={title} className="h-96" />;
    case "image/tiff":
      return <p className="text-ink-soft">Browsers do not show TIFF images. Save it and open it with a viewer.</p>;
  }
}

function Framed({
  href,
  title,
  className,
}: {
  readonly href: string;
  readonly title: string;
  readonly className: string;
}) {
  return (
    <iframe
      src={href}
      title={title}
      loading="lazy"
      className={`w-full rounded-md border border-line print:hidden ${className}`}
    />
  );
}
