const texts = {
  off: "Submissions are off. You can work as usual, and nothing is sent to payers.",
  stopped:
    "Submissions are stopped: the database was restored from an earlier state. You can read, but no change is accepted until an operator runs the recovery.",
  "partly-stopped":
    "Submissions of some practices are stopped: the database lacks part of their record. Their cases can be read, but no change is accepted until an operator runs the recovery.",
  "not-replicated":
    "Nothing is accepted or submitted at present, because the database has no second copy. You can read, and go on when this notice is gone.",
  "no-worker":
    "Nothing is being submitted at present, because the worker has stopped. You can go on releasing: what is released waits and is submitted when the worker is back.",
  "not-submitting":
    "Nothing is being submitted at present, because no worker may submit. You can go on releasing: what is released waits until an operator has looked at the workers.",
} as const;

/** On every page while nothing leaves for payers, and why. */
export function SubmissionBanner({ why }: { readonly why: keyof typeof texts }) {
  return (
    <aside
      aria-label="Submissions"
      className="border-b border-warn/30 bg-warn-wash px-4 py-1.5 text-center text-sm text-warn"
    >
      {texts[why]}
    </aside>
  );
}
