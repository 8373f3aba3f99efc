/** On every page of a demonstration: what is shown and done here reaches nobody. */
export function TestBanner() {
  return (
    <aside
      aria-label="Test data"
      className="sticky top-0 z-20 flex h-(--banner) items-center justify-center gap-1 border-b border-test/30 bg-test-wash px-4 text-sm text-test print:static"
    >
      <span>
        <strong>TEST</strong> data: nothing here reaches a real payer.
      </span>
    </aside>
  );
}
