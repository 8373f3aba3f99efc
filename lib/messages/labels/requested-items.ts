import type { RequestedItem } from "#lib/task/model/information-request";

type Code = NonNullable<RequestedItem["code"]>;

/** Our texts for the codes of requested items; a code without a text is shown as received. */
const labels: Readonly<Record<Code["system"], Readonly<Record<string, string>>>> = {
  // X12 755 as PWK01 carries it.
  pwk: {
    "03": "justification for exceeding guidelines",
    "04": "medications given",
    "05": "the diagnosis treated",
    "06": "the initial assessment",
    "07": "treatment goals",
    "08": "the treatment plan",
    "09": "progress notes",
    "15": "reason for admission",
    B2: "the prescription",
    B3: "the physician's order",
    DG: "the diagnostic report",
    DS: "the discharge summary",
    LA: "laboratory results",
    M1: "the medical record",
    PN: "physical therapy notes",
    RB: "the images themselves",
    RR: "the imaging report",
    RT: "test results",
  },
  loinc: {
    "102089-0": "the payer's questionnaire",
    "11488-4": "the consultation note",
    "11502-2": "laboratory results",
    "11504-8": "the operative note",
    "11506-3": "progress notes",
    "18748-4": "the imaging report",
    "18776-5": "the treatment plan",
    "18842-5": "the discharge summary",
    "26436-6": "laboratory results",
    "28570-0": "the procedure note",
    "34117-2": "history and physical examination",
    "57133-1": "the referral note",
  },
  payer: {},
};

/** Our text for the code of a requested item, if there is one. */
export function labelOf({ system, value }: Code): string | undefined {
  return Object.hasOwn(labels[system], value) ? labels[system][value] : undefined;
}

/** The requested items in a sentence, for a payer that sent only codes. */
export function requestedItemsText(items: readonly RequestedItem[]): string {
  const named = items.map(({ code, label, line }) => {
    const what = label ?? (code ? "a document" : "something it didn't name");
    const by = code ? ` (${code.system === "payer" ? "" : `${code.system.toUpperCase()} `}${code.value})` : "";
    return `${what}${by}${line === undefined ? "" : ` for line ${line}`}`;
  });
  return `The payer needs more before it decides: ${[...new Set(named)].join("; ")}.`;
}
