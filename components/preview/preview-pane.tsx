import { CircleAlert, CircleCheck, TriangleAlert, X } from "lucide";
import { ButtonLink } from "#components/form/button";
import { Badge } from "#components/list/badge";
import { Icon } from "#components/shell/icon";
import { TimeText } from "#components/text/time-text";
import { VisibleLine } from "#components/text/visible-line";
import type { PreviewFact, PreviewText, PreviewContent } from "./preview-text.tsx";

type Props = { readonly taskId: string; readonly shown: PreviewContent; readonly onClose: () => void };

/** The chosen case beside its list: who, what and why, by when, what the checks say, and the way into it. */
export function PreviewPane({ taskId, shown, onClose }: Props) {
  return (
    <aside
      aria-label="Preview"
      className="panel appear sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto max-xl:hidden print:hidden"
    >
      <div className="panel-head">
        <h2 className="font-semibold">Preview</h2>
        {typeof shown === "object" && <span className="font-mono text-sm text-ink-faint">{shown.shortId}</span>}
        <button
          type="button"
          data-preview-close=""
          aria-label="Close the preview"
          title="Close (Esc)"
          onClick={onClose}
          className="ms-auto grid size-7 cursor-pointer place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <Icon of={X} />
        </button>
      </div>
      {typeof shown === "object" ? <Body of={shown} /> : <Waiting taskId={taskId} shown={shown} />}
    </aside>
  );
}

const troubles = {
  "signed-out": "You are signed out. Load the page again to sign in.",
  gone: "You no longer have access to this case.",
  unanswered: "No answer came. The case itself may still open.",
};

function Waiting({ taskId, shown }: { readonly taskId: string; readonly shown: Exclude<PreviewContent, PreviewText> }) {
  if (shown === undefined) {
    return (
      <div role="status" className="grid gap-3 p-4">
        <span className="sr-only">Loading the preview</span>
        <span className="skeleton h-6 w-2/3" />
        <span className="skeleton h-4 w-full" />
        <span className="skeleton h-4 w-5/6" />
        <span className="skeleton h-24 w-full" />
      </div>
    );
  }
  return (
    <div className="grid gap-3 p-4">
      <p role="alert">{troubles[shown]}</p>
      {shown === "unanswered" && <ButtonLink href={`/tasks/${taskId}`}>Open request</ButtonLink>}
    </div>
  );
}

function Body({ of }: { readonly of: PreviewText }) {
  return (
    <div className="grid gap-4 p-4">
      <div className="grid gap-1">
        <h3 className="text-lg font-semibold wrap-anywhere">
          {of.patient ? <VisibleLine parts={of.patient} /> : "No patient named"}
        </h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          {of.about.map((part, index) => (
            <span key={index} className="whitespace-nowrap">
              <VisibleLine parts={part} />
            </span>
          ))}
        </p>
        <p className="flex flex-wrap gap-1.5">
          {of.badges.map(({ text, tone }) => (
            <Badge key={text} tone={tone}>
              {text}
            </Badge>
          ))}
        </p>
      </div>
      <Service of={of} />
      <Checks of={of} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 border-t border-line pt-3">
        {of.facts.map((fact) => (
          <Fact key={fact.name} fact={fact} />
        ))}
      </dl>
      <Acts of={of} />
    </div>
  );
}

function Service({ of }: { readonly of: PreviewText }) {
  return (
    <div className="grid gap-1 wrap-anywhere">
      <p>
        {of.code && (
          <span className="font-mono font-semibold">
            <VisibleLine parts={of.code} />
          </span>
        )}{" "}
        {of.description && (
          <q>
            <VisibleLine parts={of.description} />
          </q>
        )}
        {of.more > 0 && <span className="text-ink-soft"> and {of.more} more</span>}
        {of.amount !== undefined && <span className="text-ink-soft"> · {of.amount}</span>}
      </p>
      {of.diagnoses.map(({ code, text }, index) => (
        <p key={index} className="text-sm text-ink-soft">
          <span className="font-mono">
            <VisibleLine parts={code} />
          </span>{" "}
          {text && <VisibleLine parts={text} />}
        </p>
      ))}
    </div>
  );
}

/** What speaks against a release; that nothing does is said as well. */
function Checks({ of: { checks, isHeld } }: { readonly of: PreviewText }) {
  if (!isHeld) return null;
  if (checks.length === 0) {
    return (
      <p className="flex gap-2 text-sm">
        <Icon of={CircleCheck} size={15} className="mt-0.5 shrink-0 text-good" />
        Checks found no problems.
      </p>
    );
  }
  return (
    <ul className="grid gap-1.5 text-sm">
      {checks.map(({ level, text }, index) => (
        <li key={index} className="flex gap-2 wrap-anywhere">
          <Icon
            of={level === "block" ? CircleAlert : TriangleAlert}
            size={15}
            className={`mt-0.5 shrink-0 ${level === "block" ? "text-bad" : "text-warn"}`}
          />
          <span>
            <span className="sr-only">{level === "block" ? "Blocks the release: " : "Warning: "}</span>
            <VisibleLine parts={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Fact({ fact: { name, text, beside, at, isLate } }: { readonly fact: PreviewFact }) {
  return (
    <>
      <dt className="text-sm text-ink-faint">{name}</dt>
      <dd className={isLate ? "font-semibold text-bad" : "wrap-anywhere"}>
        {text && <VisibleLine parts={text} />}
        {at && <TimeText {...at} />}
        {beside && (
          <span className="block text-sm text-ink-soft">
            <VisibleLine parts={beside} />
          </span>
        )}
      </dd>
    </>
  );
}

/** Ways into the case; nothing is decided here, where it has not been read. */
function Acts({ of: { taskId, acts } }: { readonly of: PreviewText }) {
  const open = `/tasks/${taskId}${listHere()}`;
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <ButtonLink href={open} tone="primary" wide>
        Open request
      </ButtonLink>
      {acts.length > 0 && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {acts.map(({ intent, name }) => (
            <a key={intent} href={`${open}#${intent}`} className="underline">
              {name}…
            </a>
          ))}
        </p>
      )}
    </div>
  );
}

/** The list it is opened from, where that is not the whole queue. The pane is only ever drawn in a browser. */
function listHere(): string {
  return location.search === "" ? "" : `?list=${encodeURIComponent(location.search.slice(1))}`;
}
