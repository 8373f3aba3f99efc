"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { SessionLeft } from "#lib/person/session/session-left";
import { followAgain, useLive } from "#components/live/use-live";
import { SessionEnded } from "./session-ended.tsx";
import { SessionEnding } from "./session-ending.tsx";
import { useSession } from "./use-session.ts";

type Props = {
  readonly known: SessionLeft;
  /** Uses the session, so that it goes on; undefined where it is over. */
  readonly stay: () => Promise<SessionLeft | undefined>;
};

/**
 * Says in time that the session is about to end, and covers the page once it has, also where it was ended from another
 * tab or another device: nothing of a patient stays on the screen of somebody who is not there. What was typed stays
 * where it is, under the cover, and is stored nowhere.
 */
export function SessionGuard({ known, stay }: Props) {
  const router = useRouter();
  const { mode } = useLive(known.personId);
  const onBack = () => {
    followAgain();
    router.refresh();
  };
  const { phase, endsAtMs, isLast, prolong } = useSession({ known, stay, mode, onBack });
  const covered = phase === "ended";
  useEffect(() => {
    document.documentElement.toggleAttribute("data-covered", covered);
    return () => document.documentElement.removeAttribute("data-covered");
  }, [covered]);
  if (covered) return <SessionEnded />;
  if (phase === "ending") return <SessionEnding endsAtMs={endsAtMs} isLast={isLast} prolong={prolong} />;
  return null;
}
