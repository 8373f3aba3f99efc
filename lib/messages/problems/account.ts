/** What is wrong with a field that a person fills in about themselves. */
export const accountProblems = {
  wrongPassword: "is wrong, or was tried too often: wait a minute",
  hourOfDay: "must be an hour from 0 to 23",
  choice: "must be one of the choices",
  otherHour: "must end at a different hour than it starts",
  passwordMin: (min: number) => `must have at least ${min} characters`,
  passwordMax: (max: number) => `must have at most ${max} characters`,
  passwordHoldsName: "must not contain your email name or the product's name",
  passwordGuessed: "must not be a common password",
  passwordBreached: "must not be one that appeared in a data breach",
} as const;

/** What a browser is told that asks for single sign-on in a way no page of ours does. */
export const ssoProblems = {
  none: "There is no single sign-on here.",
  otherOrigin: "This form was not posted by a page of ours.",
  otherForm: "This is no form of ours.",
} as const;
