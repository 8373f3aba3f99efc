import { KeysShown } from "./keys-shown.tsx";

/** The key for what stands before it, for those who see it; gone where single keys are switched off or there are none. */
export function KeyHint({ chord }: { readonly chord: string }) {
  return (
    <span aria-hidden data-key-hint="" className="inline-flex opacity-80 pointer-coarse:hidden">
      <KeysShown chord={chord} />
    </span>
  );
}
