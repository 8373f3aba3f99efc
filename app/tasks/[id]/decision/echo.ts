/** Where a decision was last pressed with a pointer, on which case. */
let pressed: { readonly taskId: string; readonly x: number; readonly y: number } | undefined;
/** The case that came into view last, and when. */
let arrived: { readonly taskId: string; readonly atMs: number } | undefined;

/** Nobody reads a case and moves on in less. */
const readMs = 1_000;
const samePx = 24;

export function noteArrival(taskId: string): void {
  if (arrived?.taskId !== taskId) arrived = { taskId, atMs: performance.now() };
}

type Press = { readonly detail: number; readonly clientX: number; readonly clientY: number };

/**
 * Whether a press is the echo of the one before: the second of a double click, or an impatient one that meets the next
 * case, whose button is in the same place, as it comes into view. It was never meant for that case.
 */
export function isEcho(taskId: string, { detail, clientX: x, clientY: y }: Press): boolean {
  // A key presses without a count.
  if (detail === 0) return false;
  const near = pressed && Math.abs(pressed.x - x) <= samePx && Math.abs(pressed.y - y) <= samePx;
  const isNew = arrived?.taskId === taskId && performance.now() - arrived.atMs < readMs;
  if (detail > 1 || (near && pressed?.taskId !== taskId && isNew)) return true;
  pressed = { taskId, x, y };
  return false;
}
