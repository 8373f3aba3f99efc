"use client";

import { PanelRight } from "lucide";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import { Button } from "#components/form/button";
import { rowChosen } from "#components/keyboard/row-chosen";
import { Icon } from "#components/shell/icon";
import { PreviewPane } from "./preview-pane.tsx";
import type { PreviewText, PreviewContent } from "./preview-text.tsx";

/** A row that is only passed on the way to another is not asked for. */
const restMs = 150;

const storageKey = "queue-preview";
const toggled = "queue-preview-toggled";

/**
 * A list with the chosen case beside it, on screens that have the room. Without a script the list is all there is, and
 * its rows lead to their cases. What the pane shows is asked for when a row is chosen, so that the list waits for none.
 */
export function WithPreview({ children }: { readonly children: ReactNode }) {
  const isOn = useSyncExternalStore(onToggled, isOnNow, () => false);
  const [taskId, setTaskId] = useState<string>();
  const shown = usePreview(isOn ? taskId : undefined);
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onChosen = ({ target }: Event) => {
      const row = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-row]") : null;
      if (row?.dataset.task !== undefined && here.current?.contains(row)) setTaskId(row.dataset.task);
    };
    document.addEventListener(rowChosen, onChosen);
    return () => document.removeEventListener(rowChosen, onChosen);
  }, []);
  useEffect(() => mark(here.current, isOn ? taskId : undefined), [isOn, taskId, children]);
  const isOpen = isOn && taskId !== undefined;
  return (
    <div
      ref={here}
      data-preview={isOn ? "on" : "off"}
      className={isOpen ? "items-start gap-4 xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]" : undefined}
    >
      <div className="min-w-0">{children}</div>
      {isOpen && <PreviewPane taskId={taskId} shown={shown} onClose={() => setTaskId(undefined)} />}
    </div>
  );
}

/** Turns the pane off and on for this browser; only where there is room for it. */
export function PreviewToggle() {
  const isOn = useSyncExternalStore(onToggled, isOnNow, () => undefined);
  if (isOn === undefined) return null;
  return (
    <Button
      type="button"
      data-preview-toggle=""
      aria-pressed={isOn}
      aria-keyshortcuts="p"
      title={isOn ? "Turn the preview off" : "Turn the preview on"}
      className="min-h-8! px-2! py-1! text-sm not-aria-pressed:text-ink-soft aria-pressed:bg-selected border-transparent max-xl:hidden"
      onClick={() => setOn(!isOn)}
    >
      <Icon of={PanelRight} size={14} />
      Preview
    </Button>
  );
}

function usePreview(taskId: string | undefined): PreviewContent {
  const [known, setKnown] = useState<{ readonly taskId: string; readonly shown: PreviewContent }>();
  useEffect(() => {
    if (taskId === undefined) return undefined;
    const leaving = new AbortController();
    const rest = setTimeout(() => {
      void ask(taskId, leaving.signal).then((shown) => {
        if (!leaving.signal.aborted) setKnown({ taskId, shown });
      });
    }, restMs);
    return () => {
      clearTimeout(rest);
      leaving.abort();
    };
  }, [taskId]);
  return known?.taskId === taskId ? known?.shown : undefined;
}

async function ask(taskId: string, signal: AbortSignal): Promise<PreviewContent> {
  try {
    const answer = await fetch(`/tasks/${taskId}/preview`, { cache: "no-store", signal });
    if (answer.status === 401) return "signed-out";
    if (answer.status === 404) return "gone";
    // Safe because only our own route answers here.
    return answer.ok ? ((await answer.json()) as PreviewText) : "unanswered";
  } catch {
    return "unanswered";
  }
}

/** Marks the row whose case is shown. */
function mark(around: HTMLElement | null, taskId: string | undefined): void {
  for (const row of around?.querySelectorAll<HTMLElement>("[data-row]") ?? [])
    row.toggleAttribute("data-previewed", row.dataset.task === taskId);
}

/** A browser that keeps nothing has the pane on. */
function isOnNow(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

function setOn(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? "on" : "off");
  } catch {
    return;
  }
  window.dispatchEvent(new Event(toggled));
}

function onToggled(onChange: () => void): () => void {
  window.addEventListener(toggled, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(toggled, onChange);
    window.removeEventListener("storage", onChange);
  };
}
