/**
 * The one value of this name in this process, made when it is first needed. Next bundles its modules apart from those of
 * `server.ts`, so a constant of a module would be there twice.
 */
export function onePerProcess<Value>(name: string, make: () => Value): Value {
  const shared = globalThis as { priorAuthorization?: Map<string, unknown> };
  const values = (shared.priorAuthorization ??= new Map());
  if (!values.has(name)) values.set(name, make());
  // Safe because each name is written once, beside the function that makes its value.
  return values.get(name) as Value;
}
