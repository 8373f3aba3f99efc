"use client";

import { useEffect, useState, type ReactNode } from "react";
import { ActForm } from "#components/form/act-form";
import { spanOf } from "#components/text/instant";
import { Notice } from "#components/shell/notice";
import { SubmitButton } from "#components/form/submit-button";
import { useDesk } from "../header/at-work.tsx";
import { claim, letGo } from "./desk-actions.ts";

type LineProps = {
  readonly taskId: string;
  readonly notes: number;
  readonly claimable: boolean;
  /** Whose it is. */
  readonly children: ReactNode;
};

/** Who has taken the case up and who else reads it, in one line, with the claim's own buttons. */
export function ClaimLine({ taskId, notes, claimable, children }: LineProps) {
  const { claim: held, readers } = useDesk();
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
      {claimable && <ClaimButton taskId={taskId} />}
      {children}
      <p role="status" className="text-ink-soft">
        {held && <Held />}
        {held && readers.length > 0 && " "}
        {readers.length > 0 && <Readers />}
      </p>
      {notes > 0 && (
        <a href="#notes" className="text-ink-soft underline hover:text-ink">
          {notes === 1 ? "1 note" : `${notes} notes`}
        </a>
      )}
    </div>
  );
}

function ClaimButton({ taskId }: { readonly taskId: string }) {
  const { claim: held } = useDesk();
  return (
    <ActForm act={held?.mine ? letGo : claim} className="grid gap-2" data-form="claim">
      <input type="hidden" name="taskId" value={taskId} />
      {held && !held.mine && <input type="hidden" name="from" value={held.personId} />}
      <SubmitButton shortcut="c">
        {held ? (held.mine ? "Give up claim" : `Take over from ${held.name}`) : "Claim"}
      </SubmitButton>
    </ActForm>
  );
}

function Held() {
  const { claim: held } = useDesk();
  const nowMs = useNow();
  if (!held) return null;
  if (held.mine) return "You claimed this.";
  const ago = spanOf(nowMs - held.sinceMs);
  const reading = held.reading ? " and is reading it" : "";
  if (held.fromReader) return <strong>{`${held.name} took this over from you ${ago} ago${reading}.`}</strong>;
  return `${held.name} claimed this ${ago} ago${reading}.`;
}

function Readers() {
  const { readers } = useDesk();
  const nowMs = useNow();
  const [first, second] = readers;
  if (!first) return null;
  if (!second) return `${first.name} is reading this, ${spanOf(nowMs - first.sinceMs)}.`;
  if (readers.length === 2) return `${first.name} and ${second.name} are reading this.`;
  return `${first.name} and ${readers.length - 1} others are reading this.`;
}

/** Before somebody else's decision: that it is not theirs alone. It holds nobody up. */
export function ClaimWarning() {
  const { claim: held } = useDesk();
  if (!held || held.mine) return null;
  return (
    <Notice tone="warn" title={`${held.name} has claimed this`}>
      You can still decide. The first decision counts.
    </Notice>
  );
}

/** The server's clock, going on from when it was last told. */
function useNow(): number {
  const { atMs } = useDesk();
  const [passed, setPassed] = useState({ since: atMs, ms: 0 });
  useEffect(() => {
    const from = performance.now();
    const ticking = setInterval(() => setPassed({ since: atMs, ms: performance.now() - from }), 10_000);
    return () => clearInterval(ticking);
  }, [atMs]);
  return atMs + (passed.since === atMs ? passed.ms : 0);
}
