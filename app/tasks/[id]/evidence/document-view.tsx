"use client";

import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore, type RefObject } from "react";
import type { typeTexts } from "./document-kinds.ts";
import { ImageView } from "./image-view.tsx";
import { TextView } from "./text-view.tsx";

const PdfView = lazy(async () => ({ default: (await import("./pdf-view.tsx")).PdfView }));

type File = { readonly href: string; readonly name: string; readonly contentType: keyof typeof typeTexts };

/** One file in its place. Without scripts the browser's own viewer shows it in a frame, where it has one. */
export function DocumentView({ file }: { readonly file: File }) {
  const hasScripts = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const here = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(here);
  if (!hasScripts) return <Plain file={file} />;
  // A viewer measures the room it has, and there is none in a tab that is not shown.
  return isSeen ? <Viewer file={file} /> : <div ref={here} className="min-h-96 xl:min-h-56 flex-1" />;
}

/** Whether an element has come into view; once it has, it stays so. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !element.current) return undefined;
    const watching = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    watching.observe(element.current);
    return () => watching.disconnect();
  });
  return isSeen;
}

function Viewer({ file: { href, name, contentType } }: { readonly file: File }) {
  switch (contentType) {
    case "application/pdf":
      return (
        <Suspense fallback={<Opening />}>
          <PdfView href={href} name={name} />
        </Suspense>
      );
    case "image/png":
    case "image/jpeg":
      return <ImageView href={href} name={name} />;
    case "application/xml":
    case "text/plain":
      return <TextView href={href} name={name} />;
    case "image/tiff":
      return <p className="p-4 text-ink-soft">Browsers don't show TIFF images. Save it and open it with a viewer.</p>;
  }
}

/** Before the scripts are there, and where there are none. */
function Plain({ file: { href, name, contentType } }: { readonly file: File }) {
  if (contentType === "image/tiff") return <Viewer file={{ href, name, contentType }} />;
  return (
    <noscript>
      {contentType === "image/png" || contentType === "image/jpeg" ? (
        // eslint-disable-next-line nextjs/no-img-element -- the image is the record; nothing may make another of it
        <img src={href} alt={name} loading="lazy" className="w-full" />
      ) : (
        <iframe src={href} title={name} loading="lazy" className="h-[75dvh] w-full border-0 print:hidden" />
      )}
    </noscript>
  );
}

function Opening() {
  return (
    <div className="grid min-h-96 xl:min-h-56 flex-1 place-items-center p-4">
      <p role="status" className="skeleton px-3 py-2 text-ink-soft">
        Opening the document…
      </p>
    </div>
  );
}

/** Whether scripts run does not change while a page is open. */
function never(): () => void {
  return () => undefined;
}
