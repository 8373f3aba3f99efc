"use client";

import { useEffect, useRef } from "react";
import { TextField } from "#components/form/field";
import { localIn } from "#lib/platform/zoned-time";
import { useDecision, type Field } from "./decision.tsx";

type Props = {
  readonly label: string;
  readonly field: Field;
  readonly required?: boolean;
};

/**
 * A date and time that is now until somebody changes it, by the server's clock
 * and in the zone the page shows times in. Without scripts it is when the page was made.
 */
export function NowField({ label, field: { defaultValue: typed, ...field }, required }: Props) {
  const { zone, nowMs } = useDecision().shown;
  const here = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const input = here.current;
    if (!input || typed !== undefined) return undefined;
    const sinceMs = performance.now();
    const follow = () => {
      if (input.value !== input.defaultValue) return;
      input.defaultValue = localIn(zone, new Date(nowMs + performance.now() - sinceMs));
    };
    const timer = setInterval(follow, 10_000);
    return () => clearInterval(timer);
  }, [zone, nowMs, typed]);
  return (
    <TextField
      ref={here}
      label={label}
      {...field}
      type="datetime-local"
      required={required}
      hint={`Time zone: ${zone.replaceAll("_", " ")}`}
      defaultValue={typed ?? localIn(zone, new Date(nowMs))}
    />
  );
}
