"use client";

import { Download, ExternalLink, FileText, Image, type IconNode } from "lucide";
import { useState, type MouseEvent } from "react";
import { Badge } from "#components/list/badge";
import { Digest } from "#components/text/digest";
import { Empty } from "#components/list/empty";
import { noteAddress } from "#components/list/note-address";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import type { AttachmentType } from "#lib/task/model/attachment";
import { sizeText } from "../request/size-text.ts";
import { typeTexts } from "./document-kinds.ts";
import { DocumentView } from "./document-view.tsx";

export type ShownFile = {
  readonly sha256: string;
  readonly name: string;
  readonly contentType: AttachmentType;
  /** In bytes. */
  readonly size: number;
  /** The revision it came with. */
  readonly since: number;
  readonly isNew: boolean;
  /** Where its bytes are. */
  readonly href: string;
  /** What it is saved as. */
  readonly savedAs: string;
  /** The address of the page with it open, for browsers without scripts. */
  readonly openedAt: string;
};

type Props = {
  readonly files: readonly ShownFile[];
  /** The digest of the one the address asks for. */
  readonly chosen: string | undefined;
};

/** The files of the revision, one of them open in a viewer. */
export function Documents({ files, chosen }: Props) {
  const [sha256, setSha256] = useState(chosen ?? files[0]?.sha256);
  const [linked, setLinked] = useState(chosen);
  if (linked !== chosen) {
    setLinked(chosen);
    setSha256(chosen ?? files[0]?.sha256);
  }
  const at = Math.max(
    0,
    files.findIndex((file) => file.sha256 === sha256),
  );
  const open = files[at];
  if (!open) {
    return (
      <div className="p-4">
        <Empty title="No documents">
          <p>The agent attached none. Request information to ask for one.</p>
        </Empty>
      </div>
    );
  }
  const choose = (file: ShownFile | undefined) => {
    if (!file) return;
    setSha256(file.sha256);
    noteAddress(file.openedAt);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {files.length > 1 && <Choice files={files} open={open} choose={choose} />}
      <DocumentView key={open.sha256} file={open} />
      {/* The keys [ and ] press these; the list above is what everyone else uses. */}
      <button
        type="button"
        hidden
        aria-label="Previous document"
        data-document="previous"
        onClick={() => choose(files[at - 1])}
      />
      <button
        type="button"
        hidden
        aria-label="Next document"
        data-document="next"
        onClick={() => choose(files[at + 1])}
      />
      <About file={open} />
    </div>
  );
}

type ChoiceProps = Pick<Props, "files"> & {
  readonly open: ShownFile;
  readonly choose: (file: ShownFile) => void;
};

function Choice({ files, open, choose }: ChoiceProps) {
  const onClick = (event: MouseEvent, file: ShownFile) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(file);
  };
  return (
    <ul aria-label="Documents" className="flex flex-wrap gap-1 border-b border-line p-2 print:hidden">
      {files.map((file) => (
        <li key={file.sha256} className="max-w-full">
          <a
            href={file.openedAt}
            aria-current={file.sha256 === open.sha256}
            onClick={(event) => onClick(event, file)}
            className="flex min-h-8 max-w-60 items-center gap-2 rounded-md px-2 text-sm text-ink-soft hover:bg-hover hover:text-ink aria-[current=true]:bg-selected aria-[current=true]:font-semibold aria-[current=true]:text-ink pointer-coarse:min-h-11"
          >
            <Icon of={icons[file.contentType]} size={15} className="shrink-0" />
            <span className="truncate">
              <PlainText>{file.name}</PlainText>
            </span>
            {file.isNew && <Badge tone="news">New</Badge>}
          </a>
        </li>
      ))}
    </ul>
  );
}

const icons: Readonly<Record<AttachmentType, IconNode>> = {
  "application/pdf": FileText,
  "image/png": Image,
  "image/jpeg": Image,
  "image/tiff": Image,
  "application/xml": FileText,
  "text/plain": FileText,
};

/** What the open file is, and the ways to have it whole. */
function About({
  file: { name, contentType, size, since, sha256, isNew, href, savedAs },
}: {
  readonly file: ShownFile;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm text-ink-soft">
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold text-ink">
          <PlainText>{name}</PlainText>
        </span>{" "}
        {typeTexts[contentType]}, {sizeText(size)}, since revision {since} {isNew && <Badge tone="news">New</Badge>}
      </span>
      <span className="ms-auto flex gap-4 print:hidden">
        {contentType !== "image/tiff" && (
          <a
            href={href}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 underline pointer-coarse:min-h-11"
          >
            Open in a new tab
            <Icon of={ExternalLink} size={14} />
          </a>
        )}
        <a href={href} download={savedAs} className="inline-flex items-center gap-1 underline pointer-coarse:min-h-11">
          Save
          <Icon of={Download} size={14} />
        </a>
      </span>
      <details className="w-full">
        <summary>SHA-256</summary>
        <Digest value={sha256} />
      </details>
    </div>
  );
}
