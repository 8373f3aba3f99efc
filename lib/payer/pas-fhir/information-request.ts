import { labelOf, requestedItemsText } from "#lib/messages/labels/requested-items";
import type { InformationRequest, RequestedItem } from "#lib/task/model/information-request";
import type { ResponseBundle } from "./reply.ts";
import { extensionOf, type CommunicationRequest, type Concept } from "./resources.ts";
import { extensions, systems } from "./vocabulary.ts";

type Code = NonNullable<RequestedItem["code"]>;

/** No longer asked for, whatever else it says. */
const over = new Set(["completed", "revoked", "entered-in-error"]);

/** More than a person reads at once is an answer nobody meant. */
const itemsMax = 50;
const textCharactersMax = 4000;

/** LOINC's code for "fill in the payer's questionnaire" (PAS 2.2.1, "Request for Additional Information"). */
const questionnaire = "102089-0";

const loincForm = /^\d{1,7}-\d$/;

/**
 * What a pended answer asks for (PAS 2.2.1, "Request for Additional
 * Information"), or undefined where it asks for nothing. A request that cannot
 * be read still is one: then the payer wants something it did not name. So is
 * one that the response brings and does not refer to.
 */
export function readInformationRequest(bundle: ResponseBundle): InformationRequest | undefined {
  const { response, communications, unnamed } = bundle;
  const open = [...communications, ...unnamed].filter((each) => each === undefined || !over.has(each.status));
  if (open.length === 0) return undefined;
  const items = open
    .flatMap((each) => (each ? itemsOf(each, response.item ?? []) : [{ kind: "answer" } as const]))
    .slice(0, itemsMax);
  const notes = (response.processNote ?? []).flatMap(({ text }) => (text?.trim() ? [text.trim()] : []));
  const due = open.flatMap((each) => each?.occurrencePeriod?.end ?? each?.occurrenceDateTime ?? []).filter(isDay);
  return {
    text: (notes.length > 0 ? notes.join("\n") : requestedItemsText(items)).slice(0, textCharactersMax),
    items,
    ...(due.length > 0 ? { dueBy: due.sort()[0] } : {}),
  };
}

/** Whether an answer asks for anything, named as wanted or not. A decision that does is none yet. */
export function asksForMore({ communications, unnamed }: ResponseBundle): boolean {
  return [...communications, ...unnamed].some((each) => each === undefined || !over.has(each.status));
}

type Lines = NonNullable<ResponseBundle["response"]["item"]>;

function itemsOf(request: CommunicationRequest, lines: Lines): readonly RequestedItem[] {
  const line = lineOf(request.extension);
  const found = [
    ...(request.category ?? []).flatMap(codesOf).map((code) => ({ code, line, text: undefined })),
    ...(request.payload ?? []).flatMap(({ extension, contentString }) => {
      const at = lineOf(extension) ?? line;
      return contentString?.trim() ? [{ ...contentOf(contentString.trim()), line: at }] : [];
    }),
  ];
  if (found.length === 0) found.push({ code: undefined, line, text: undefined });
  return found.map(({ code, text, line: at }) => {
    const kind = code ? kindOf(code) : "answer";
    const label = text ?? (code && labelOf(code));
    const trace = traceOf({ request, lines, line: at, kind });
    return {
      kind,
      ...(code ? { code } : {}),
      ...(label ? { label } : {}),
      ...(at === undefined ? {} : { line: at }),
      ...(trace ? { trace } : {}),
    };
  });
}

/** The official example carries a LOINC code as the content itself; anything else is the payer's own words. */
function contentOf(content: string): { code: Code | undefined; text: string | undefined } {
  if (loincForm.test(content)) return { code: { system: "loinc", value: content }, text: undefined };
  return { code: undefined, text: content };
}

function codesOf({ coding = [] }: Concept): Code[] {
  return coding.flatMap(({ system, code: value }): Code[] => {
    if (value === undefined) return [];
    if (system === systems.attachment) return [{ system: "pwk", value }];
    return [{ system: system === systems.loinc ? "loinc" : "payer", value }];
  });
}

function lineOf(list: CommunicationRequest["extension"]): number | undefined {
  return extensionOf(list, extensions.serviceLineNumber)?.valuePositiveInt;
}

/**
 * What finds the case again when the answer comes: for a questionnaire the
 * trace number of its line, which is its context; else the payer's own number
 * for the request (X12 attachment control number).
 */
function traceOf({
  request,
  lines,
  line,
  kind,
}: {
  request: CommunicationRequest;
  lines: Lines;
  line: number | undefined;
  kind: RequestedItem["kind"];
}): string | undefined {
  const item = lines.find(({ itemSequence }) => itemSequence === line);
  const context = extensionOf(item?.extension, extensions.itemTraceNumber)?.valueIdentifier?.value;
  const own = request.identifier?.find(({ value }) => value !== undefined)?.value;
  return kind === "answer" ? (context ?? own) : own;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Whether a code asks for answers or for a document. */
function kindOf(code: Code): RequestedItem["kind"] {
  return code.system === "loinc" && code.value === questionnaire ? "answer" : "document";
}
