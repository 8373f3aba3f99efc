/** A statement with its parameters, prepared under its name; without one, under a name of its own from the second time on. */
export type Statement = {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Nothing follows it in its transaction, so that a plain one is committed with it. */
  readonly isLast?: boolean | undefined;
};
