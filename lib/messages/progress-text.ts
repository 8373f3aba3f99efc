import type { addedSince, LineProgress } from "#lib/task/model/authorization-progress";
import { unitText } from "#lib/messages/labels/codes";

/** How much of a line is authorized: "4 of 6 days authorized". */
export function progressText({ authorized, requested, unit }: LineProgress): string {
  return `${authorized} of ${requested} ${unitText(unit, requested)} authorized`;
}

/** How much of what is authorized is used: "9 of 12 visits used". */
export function usedText({
  used,
  authorized,
  unit,
}: {
  readonly used: number;
  readonly authorized: number;
  readonly unit?: string | undefined;
}): string {
  return `${used} of ${authorized} ${unitText(unit, authorized)} used`;
}

/** What a determination added to the one before: "+2 days". */
export function addedText({ added, unit }: ReturnType<typeof addedSince>[number]): string {
  return `${added > 0 ? "+" : "−"}${Math.abs(added)} ${unitText(unit, Math.abs(added))}`;
}
