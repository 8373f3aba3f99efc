import type { BadgeText } from "#components/text/case-badges";
import type { TimeParts } from "#components/text/time-text";
import type { Line } from "#components/text/visible-line";

/** A value of the preview: text, or an instant. */
export type PreviewFact = {
  readonly name: string;
  readonly text?: Line | undefined;
  readonly beside?: Line | undefined;
  readonly at?: TimeParts | undefined;
  readonly isLate?: boolean | undefined;
};

/** What the pane beside the queue shows of a case, ready to be drawn. */
export type PreviewText = {
  readonly taskId: string;
  readonly shortId: string;
  readonly patient?: Line | undefined;
  readonly about: readonly Line[];
  readonly badges: readonly BadgeText[];
  readonly code?: Line | undefined;
  readonly description?: Line | undefined;
  readonly more: number;
  readonly amount?: string | undefined;
  readonly diagnoses: readonly { readonly code: Line; readonly text?: Line | undefined }[];
  readonly facts: readonly PreviewFact[];
  readonly checks: readonly { readonly level: "block" | "warn"; readonly text: Line }[];
  /** The checks were made, and a release is waited for. */
  readonly isHeld: boolean;
  readonly acts: readonly { readonly intent: string; readonly name: string }[];
};

/** What is known of the chosen case; nothing while it is being asked for. */
export type PreviewContent = PreviewText | "signed-out" | "gone" | "unanswered" | undefined;
