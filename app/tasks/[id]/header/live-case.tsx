"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Button } from "#components/form/button";
import { Notice } from "#components/shell/notice";
import { useLive, useNews } from "#components/live/use-live";
import type { CaseNews } from "#lib/queue/live/case-news";
import { standingId } from "../decision/answer.ts";
import { caseActorText, caseActText } from "#lib/messages/reviewer/case-acts";

type Props = {
  readonly personId: string;
  readonly taskId: string;
  /** How far its practice's record had come when the page was drawn. */
  readonly base: Readonly<Record<string, number>>;
};

/**
 * Says when somebody else did something to the case, and draws it anew when asked; what was typed stays. It lies over
 * the bar at the top, where nothing is decided, and moves nothing: a button that moves as it is pressed is missed, or
 * another is pressed.
 */
export function LiveCase({ personId, taskId, base }: Props) {
  const router = useRouter();
  const live = useLive(personId);
  const [showing, startShowing] = useTransition();
  const news = useNews<Partial<CaseNews>>({ live, base, path: `/live/case?task=${taskId}&`, isOn: true });
  const show = () => {
    startShowing(() => router.refresh());
    document.getElementById(standingId)?.focus();
  };
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(var(--banner)+0.25rem)] z-30 flex justify-center px-4 print:hidden"
    >
      {news?.act !== undefined && (
        <Notice tone="news" className="appear pointer-events-auto w-full max-w-xl py-1! shadow-lg">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <p>
              <span className="font-semibold">This case changed.</span> {news.name ?? caseActorText(news.by ?? "")}{" "}
              {caseActText(news.act)}.
            </p>
            <Button type="button" aria-disabled={showing} onClick={show}>
              Show
            </Button>
          </div>
        </Notice>
      )}
    </div>
  );
}
