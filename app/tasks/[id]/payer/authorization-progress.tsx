import { progressText } from "#lib/messages/progress-text";
import { isPartlyAuthorized, progressOf } from "#lib/task/model/authorization-progress";
import { unitText } from "#lib/messages/labels/codes";
import type { DeterminationLine } from "#lib/task/model/determination";

type Props = { readonly lines: readonly DeterminationLine[] };

/** How much of what was asked is authorized, and what is still open; nothing where all or none of it is. */
export function AuthorizationProgress({ lines }: Props) {
  const partly = progressOf(lines).filter(isPartlyAuthorized);
  if (partly.length === 0) return null;
  const named = lines.length > 1;
  return (
    <ul className="grid gap-2">
      {partly.map((line) => (
        <li key={line.sequence} className="grid gap-1">
          <span>
            {named && `Line ${line.sequence}: `}
            <strong className="font-semibold">{progressText(line)}</strong>
            <span className="text-ink-soft">, {openText(line)}</span>
          </span>
          <meter
            min={0}
            max={line.requested}
            value={line.authorized}
            aria-label={progressText(line)}
            className={meterBar}
          />
        </li>
      ))}
    </ul>
  );
}

/** A bar of how much of something there is. */
export const meterBar = [
  "block h-1.5 w-full max-w-64 appearance-none overflow-hidden rounded-full bg-line",
  "[&::-webkit-meter-bar]:h-1.5 [&::-webkit-meter-bar]:rounded-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-line",
  "[&::-webkit-meter-optimum-value]:bg-good [&::-moz-meter-bar]:bg-good",
].join(" ");

function openText({ remaining, unit }: ReturnType<typeof progressOf>[number]): string {
  return `${remaining} ${unitText(unit, remaining)} not authorized`;
}
