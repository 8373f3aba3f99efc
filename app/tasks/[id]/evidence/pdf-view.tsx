"use client";

import "pdfjs-dist/legacy/web/pdf_viewer.css";
import { ChevronLeft, ChevronRight } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Notice } from "#components/shell/notice";
import { openPdf, type OpenPdf, type PdfState } from "./open-pdf.ts";
import { Find, Tool, ViewerBar, Zoom } from "./viewer-bar.tsx";

const nothingYet: PdfState = { page: 0, pages: 0, scale: 1, fits: true, found: undefined };

/** A PDF page by page, with zoom and search. */
export function PdfView({ href, name }: { readonly href: string; readonly name: string }) {
  const here = useRef<HTMLDivElement>(null);
  const pdf = useRef<OpenPdf>(undefined);
  const [state, setState] = useState(nothingYet);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!here.current) return undefined;
    const open = openPdf(here.current, href, {
      onState: (change) => setState((before) => ({ ...before, ...change })),
      onFailed: () => setFailed(true),
    });
    pdf.current = open;
    return () => open.close();
  }, [href]);
  const { page, pages, scale, fits, found } = state;
  return (
    <>
      <ViewerBar>
        <Pages page={page} pages={pages} goTo={(to) => pdf.current?.goTo(to)} />
        <Zoom
          shown={fits ? "Fit" : `${Math.round(scale * 100)} %`}
          zoomIn={() => pdf.current?.zoom("in")}
          zoomOut={() => pdf.current?.zoom("out")}
          fit={() => pdf.current?.zoom("fit")}
        />
        <Find find={(text) => pdf.current?.find(text)} step={(to) => pdf.current?.step(to)} found={found} />
      </ViewerBar>
      {failed && (
        <Notice tone="warn" role="alert" className="m-4">
          This PDF couldn't be opened here. Open it in a new tab, or save it.
        </Notice>
      )}
      <div className="relative min-h-96 xl:min-h-56 flex-1 bg-canvas print:hidden">
        {/* The viewer measures this element, so that it has its place and nothing else. */}
        <div
          ref={here}
          role="region"
          aria-label={name}
          tabIndex={0}
          className="absolute inset-0 overflow-auto -outline-offset-2"
        >
          <div className="pdfViewer" />
        </div>
      </div>
    </>
  );
}

type PagesProps = { readonly page: number; readonly pages: number; readonly goTo: (page: number) => void };

function Pages({ page, pages, goTo }: PagesProps) {
  return (
    <span className="flex items-center">
      <Tool name="Previous page" icon={ChevronLeft} disabled={page <= 1} onClick={() => goTo(page - 1)} />
      <span role="status" className="min-w-10 text-center text-sm tabular-nums">
        <span className="sr-only">Page </span>
        {pages === 0 ? "…" : `${page} / ${pages}`}
      </span>
      <Tool name="Next page" icon={ChevronRight} disabled={page >= pages} onClick={() => goTo(page + 1)} />
    </span>
  );
}
