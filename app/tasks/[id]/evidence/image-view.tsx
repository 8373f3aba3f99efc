"use client";

import { useState } from "react";
import { classNames } from "#components/shell/class-names";
import { ViewerBar, Zoom } from "./viewer-bar.tsx";

/** Each step is a quarter more or less than the one before. */
const stepFactor = 1.25;
const [leastZoom, mostZoom] = [0.25, 8];

/** An image, at the width there is or larger. */
export function ImageView({ href, name }: { readonly href: string; readonly name: string }) {
  const [zoom, setZoom] = useState<number>();
  const by = (factor: number) => setZoom(Math.min(mostZoom, Math.max(leastZoom, (zoom ?? 1) * factor)));
  return (
    <>
      <ViewerBar>
        <Zoom
          shown={zoom === undefined ? "Fit" : `${Math.round(zoom * 100)} %`}
          zoomIn={() => by(stepFactor)}
          zoomOut={() => by(1 / stepFactor)}
          fit={() => setZoom(undefined)}
        />
      </ViewerBar>
      <div
        role="region"
        aria-label={name}
        tabIndex={0}
        className="min-h-96 xl:min-h-56 flex-1 overflow-auto bg-canvas p-2 -outline-offset-2"
      >
        {/* eslint-disable-next-line nextjs/no-img-element -- the image is the record; nothing may make another of it */}
        <img
          src={href}
          alt={name}
          ref={(image) => image?.style.setProperty("width", zoom === undefined ? "" : `${zoom * 100}%`)}
          className={classNames("mx-auto bg-[white]", zoom === undefined ? "max-w-full" : "max-w-none")}
        />
      </div>
    </>
  );
}
