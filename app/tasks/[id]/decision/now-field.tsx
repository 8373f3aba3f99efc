"use client";

import { useEffect, useRef } from "react";
import { TextField } from "#components/form/field";
import { localIn } from "#lib/platform/zoned-time";
import { useDecision } from "./decision.tsx";

type Props = {
  readonly label: string;
  readonly name: string;
  readonly typed: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
};

/**
 * A date and time that is now until somebody changes it, by the server's clock
 * and in the zone the page shows times in. Without scripts it is when the page was made.
 */
export function NowField({ label, name, typed, required, error }: Props) {
  const { zone, nowMs } = useDecision().shown;
  const here = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = here.current;
    if (!field || typed !== undefined) return undefined;
    const sinceMs = performance.now();
    const follow = () => {
      if (field.value !== field.defaultValue) return;
      field.defaultValue = localIn(zone, new Date(nowMs + performance.now() - sinceMs));
    };
    const timer = setInterval(follow, 10_000);
    return () => clearInterval(timer);
  }, [zone, nowMs, typed]);
  return (
    <TextField
      ref={here}
      label={label}
      name={name}
      type="datetime-local"
      required={required}
      error={error}
      hint={`Time zone: ${zone.replaceAll("_", " ")}`}
      defaultValue={typed ?? localIn(zone, new Date(nowMs))}
    />
  );
}
