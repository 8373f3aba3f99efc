import { json, type Reply } from "#simulator/http";

/** One thing that is wrong with a request, as the vendor's envelope tells it. */
export type FieldError = {
  readonly field: string;
  readonly code: string;
  readonly errorMessage: string;
  /** The item of a list it is about. */
  readonly index?: number;
};

/** On every answer of a demo plan. */
export const marker = { "X-Api-Mock-Response": "true" } as const;

/** The vendor's error body, under the demo plan's mark. */
export function errorReply(
  status: number,
  message: string,
  { errors = [], headers = {} }: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
): Reply {
  const body = { userMessage: message, developerMessage: message, statusCode: status, reasonCode: 0, errors };
  return { ...json(status, body), headers: { ...marker, ...headers } };
}
