// Also for browsers of the last years: the other build asks for one of this year.
import { AnnotationMode, getDocument, GlobalWorkerOptions } from "pdfjs-dist/legacy/build/pdf.mjs";
import { EventBus, PDFFindController, PDFLinkService, PDFViewer } from "pdfjs-dist/legacy/web/pdf_viewer.mjs";

/** What the reader sees of the document and can do with it. */
export type PdfState = {
  readonly page: number;
  readonly pages: number;
  readonly scale: number;
  readonly fits: boolean;
  readonly found: { readonly at: number; readonly of: number } | undefined;
};

export type OpenPdf = {
  readonly goTo: (page: number) => void;
  readonly zoom: (by: "in" | "out" | "fit") => void;
  readonly find: (text: string) => void;
  readonly step: (to: "next" | "previous") => void;
  readonly close: () => void;
};

type Callbacks = {
  readonly onState: (change: Partial<PdfState>) => void;
  readonly onFailed: () => void;
};

/** Where our own server has what some documents need and do not hold: fonts, character maps and decoders of images. */
const parts = "/document-parts";

/**
 * Opens a PDF in an element. It is read by a worker of this page: nothing in it runs, nothing it links to can be
 * followed, and nothing is fetched but from our own server.
 */
export function openPdf(container: HTMLDivElement, href: string, { onState, onFailed }: Callbacks): OpenPdf {
  GlobalWorkerOptions.workerSrc = new URL("pdfjs-dist/legacy/build/pdf.worker.min.mjs", import.meta.url).toString();
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  linkService.externalLinkEnabled = false;
  const findController = new PDFFindController({ eventBus, linkService });
  const leaving = new AbortController();
  const viewer = new PDFViewer({
    ...{ container, eventBus, linkService, findController },
    annotationMode: AnnotationMode.ENABLE,
    // What a reader could write on it would be nobody's.
    annotationEditorMode: -1,
    removePageBorders: true,
  });
  linkService.setViewer(viewer);
  listen(eventBus, viewer, onState);
  const loading = getDocument({
    url: href,
    cMapUrl: `${parts}/cmaps/`,
    standardFontDataUrl: `${parts}/standard_fonts/`,
    wasmUrl: `${parts}/wasm/`,
    // The policy of our pages lets no WebAssembly run; the decoders come as plain scripts too.
    useWasm: false,
  });
  loading.promise.then(
    (document) => {
      if (leaving.signal.aborted) return;
      viewer.setDocument(document);
      linkService.setDocument(document, null);
      onState({ pages: document.numPages, page: 1 });
    },
    () => leaving.signal.aborted || onFailed(),
  );
  return {
    goTo: (page) => {
      viewer.currentPageNumber = page;
    },
    zoom: (by) => zoomTo(viewer, by),
    find: (query) => search(eventBus, { query, type: "" }),
    step: (to) =>
      search(eventBus, { query: lastQuery(findController), type: "again", findPrevious: to === "previous" }),
    close: () => {
      leaving.abort();
      viewer.setDocument(null);
      void loading.destroy();
    },
  };
}

type Viewer = PDFViewer;

function listen(eventBus: EventBus, viewer: Viewer, onState: Callbacks["onState"]): void {
  const fit = "page-width";
  eventBus.on("pagesinit", () => (viewer.currentScaleValue = fit));
  eventBus.on("pagechanging", ({ pageNumber: page }: { pageNumber: number }) => onState({ page }));
  eventBus.on("scalechanging", ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
    onState({ scale, fits: presetValue === fit }),
  );
  type Count = { readonly matchesCount: { readonly current: number; readonly total: number } };
  const onFound = ({ matchesCount: { current, total } }: Count) => onState({ found: { at: current, of: total } });
  eventBus.on("updatefindmatchescount", onFound);
  eventBus.on("updatefindcontrolstate", ({ rawQuery, ...count }: Count & { rawQuery: string | null }) =>
    rawQuery ? onFound(count) : onState({ found: undefined }),
  );
}

function zoomTo(viewer: Viewer, by: "in" | "out" | "fit"): void {
  if (by === "in") viewer.increaseScale();
  if (by === "out") viewer.decreaseScale();
  if (by === "fit") viewer.currentScaleValue = "page-width";
}

type Search = { readonly query: string; readonly type: "" | "again"; readonly findPrevious?: boolean };

function search(eventBus: EventBus, { query, type, findPrevious = false }: Search): void {
  const how = { caseSensitive: false, entireWord: false, highlightAll: true, matchDiacritics: false };
  eventBus.dispatch("find", { source: undefined, query, type, findPrevious, ...how });
}

function lastQuery({ state }: PDFFindController): string {
  // Safe because the state holds what `search` dispatched.
  return (state as { query?: string } | null)?.query ?? "";
}
