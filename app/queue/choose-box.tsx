import { formId } from "./bulk-form.ts";

type BoxProps = {
  readonly taskId: string;
  readonly shortId: string;
  /** What can be done with it together with others. */
  readonly acts: readonly string[];
};

/** The box that chooses a row. */
export function ChooseBox({ taskId, shortId, acts }: BoxProps) {
  return (
    <label className="case-choose">
      <span className="sr-only">{`Choose ${shortId}`}</span>
      <input
        type="checkbox"
        form={formId}
        name="case"
        value={taskId}
        data-acts={acts.join(" ")}
        className="size-4.5 accent-inverse"
      />
    </label>
  );
}
