"use client";

import { Pause, Play } from "lucide";
import { useRouter } from "next/navigation";
import { useRef, useTransition } from "react";
import { Button } from "#components/form/button";
import { Icon } from "#components/shell/icon";
import { usePaused } from "#components/live/live-pause";
import { useLive, useNews } from "#components/live/use-live";
import { useEnded } from "#components/live/use-ended";
import type { SnoozeEnds } from "#lib/queue/live/snooze-ends";
import type { QueueNews } from "#lib/queue/live/queue-news";

type Props = {
  readonly personId: string;
  /** The heads this page was drawn at. */
  readonly base: Readonly<Record<string, number>>;
  /** When it was drawn, and when the next snoozes end. */
  readonly rests: SnoozeEnds;
  /** The cases it shows. */
  readonly shown: readonly string[];
  /** The view's own part of the address, without the question mark. */
  readonly view: string;
};

/** Says how many cases came or changed since the page was drawn, and draws it anew when asked. Rows never move by themselves. */
export function LiveQueue({ personId, base, rests, shown, view }: Props) {
  const router = useRouter();
  const live = useLive(personId);
  const [paused, setPaused] = usePaused();
  const [showing, startShowing] = useTransition();
  const status = useRef<HTMLParagraphElement>(null);
  const ended = useEnded(rests);
  const path = `/live/queue?${view === "" ? "" : `${view}&`}${ended > 0 ? `drawn=${rests.drawnMs}&` : ""}`;
  const news = useNews<QueueNews>({ live, base, path, isOn: !paused, also: ended });
  const text = news && newsText(news, shown);
  const show = () => {
    startShowing(() => router.refresh());
    status.current?.focus();
  };
  if (live.mode === undefined) return null;
  return (
    <div className="ms-auto flex items-center gap-2">
      <p ref={status} role="status" tabIndex={-1} className="text-sm text-ink-faint outline-none">
        {paused ? (
          "Updates paused"
        ) : text ? (
          <span className="font-semibold text-ink">{text}</span>
        ) : (
          calmText[live.mode]
        )}
      </p>
      {text && (
        <Button type="button" tone="primary" aria-disabled={showing} onClick={show}>
          Show
        </Button>
      )}
      {live.mode !== "ended" && (
        <Button
          type="button"
          aria-label={paused ? "Resume updates" : "Pause updates"}
          title={paused ? "Resume updates" : "Pause updates"}
          className="px-1.5!"
          onClick={() => setPaused(!paused)}
        >
          {paused ? <Icon of={Play} size={14} /> : <Icon of={Pause} size={14} />}
        </Button>
      )}
    </div>
  );
}

const calmText = { stream: "Up to date", poll: "Looked up every 15 s", ended: "Signed out" } as const;

function newsText({ changed, inView }: QueueNews, shown: readonly string[]): string | undefined {
  const fresh = inView.filter((taskId) => !shown.includes(taskId)).length;
  const moved = changed.filter((taskId) => shown.includes(taskId)).length;
  const parts = [fresh > 0 && `${fresh} new`, moved > 0 && `${moved} changed`].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : undefined;
}
