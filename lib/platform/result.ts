/** The result of a verb: the value, or the refusal for the caller. */
export type Result<Value, Refusal> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refuse<const Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/** The same result with its refusal as an object, as those that say more are. */
export function typedRefusal<Value, Type extends string>(
  result: Result<Value, Type>,
): Result<Value, TypedRefusal<Type>> {
  // Safe because it is the distributed form of the same type.
  return result.ok ? result : refuse({ type: result.refusal } as TypedRefusal<Type>);
}

type TypedRefusal<Type extends string> = Type extends string ? { readonly type: Type } : never;

/** States what must hold here; a failure is a bug of ours and ends this request, never an answer to input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}
