import type { Procedure } from "./service-review.ts";

/** The modifiers of a line, in their order. */
export function modifiersOf({
  modifierCode1,
  modifierCode2,
  modifierCode3,
  modifierCode4,
}: Procedure): readonly string[] {
  return [modifierCode1, modifierCode2, modifierCode3, modifierCode4].filter((code) => code !== undefined);
}
