"use client";

import { ChevronDown, ChevronUp, Search, ZoomIn, ZoomOut, type IconNode } from "lucide";
import type { ComponentProps, ReactNode } from "react";
import { Icon } from "#components/shell/icon";

/** The bar above an open document. */
export function ViewerBar({ children }: { readonly children: ReactNode }) {
  return (
    <div
      role="toolbar"
      aria-label="Document"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken px-2 py-1 print:hidden"
    >
      {children}
    </div>
  );
}

type ToolProps = Omit<ComponentProps<"button">, "type"> & { readonly name: string; readonly icon: IconNode };

/** One thing that can be done with the open document. */
export function Tool({ name, icon, ...rest }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className="grid size-8 cursor-pointer place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink disabled:cursor-default disabled:opacity-40 pointer-coarse:size-11"
      {...rest}
    >
      <Icon of={icon} />
    </button>
  );
}

type ZoomProps = {
  /** In words, such as "125 %" or "Fit". */
  readonly shown: string;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
};

export function Zoom({ shown, zoomIn, zoomOut, fit }: ZoomProps) {
  return (
    <span className="flex items-center">
      <Tool name="Zoom out" icon={ZoomOut} onClick={zoomOut} />
      <button
        type="button"
        title="Fit the width"
        onClick={fit}
        className="min-h-8 min-w-12 cursor-pointer rounded-md px-1 text-sm tabular-nums hover:bg-hover pointer-coarse:min-h-11"
      >
        <span className="sr-only">Fit the width. Now </span>
        {shown}
      </button>
      <Tool name="Zoom in" icon={ZoomIn} onClick={zoomIn} />
    </span>
  );
}

type FindProps = {
  readonly find: (text: string) => void;
  readonly step: (to: "next" | "previous") => void;
  /** How many places were found and which is at hand; undefined while nothing is searched. */
  readonly found: { readonly at: number; readonly of: number } | undefined;
};

/** Searches within the document; Enter goes on to the next place. */
export function Find({ find, step, found }: FindProps) {
  return (
    <span className="flex flex-1 items-center justify-end gap-1">
      <span className="relative w-full max-w-36 min-w-16">
        <Icon of={Search} size={14} className="pointer-events-none absolute start-2 top-2.5 text-ink-faint" />
        <input
          type="search"
          aria-label="Search in the document"
          placeholder="Search"
          autoComplete="off"
          onChange={({ target }) => find(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            step(event.shiftKey ? "previous" : "next");
          }}
          className="min-h-8 w-full rounded-md border border-line-strong bg-surface ps-7 pe-2 text-sm text-ink placeholder:text-ink-faint pointer-coarse:min-h-11"
        />
      </span>
      <span
        role="status"
        className="text-center text-sm whitespace-nowrap text-ink-soft tabular-nums not-empty:min-w-11"
      >
        {found && (found.of === 0 ? "None" : `${found.at} of ${found.of}`)}
      </span>
      <Tool name="Previous match" icon={ChevronUp} disabled={!found?.of} onClick={() => step("previous")} />
      <Tool name="Next match" icon={ChevronDown} disabled={!found?.of} onClick={() => step("next")} />
    </span>
  );
}
