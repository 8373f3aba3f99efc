import { parseArgs } from "node:util";
import { trouble } from "./trouble.ts";

export const usage = `An example agent: sends one intake and follows its task until the payer's determination.

  npm run agent                  the demo's service, practice and key
  npm run agent -- --minimal     only a payer and a procedure code, to a payer without an electronic connection

  --url <url>        another service; its channel key is read from PA_CHANNEL_KEY
  --practice <id>    the practice it asks for
  --payer <id>       the payer it asks
  --member <id>      the member id; with the payer simulator its end chooses the answer (docs/simulator.md)
  --file <path>      a PDF, PNG, JPEG, TIFF, XML or text to attach; may be given several times`;

export type Settings = {
  readonly url: string;
  readonly key: string;
  readonly practiceId: string;
  readonly minimal: boolean;
  readonly payerId: string | undefined;
  readonly memberId: string | undefined;
  /** Paths of the files to attach. */
  readonly files: readonly string[];
};

/** What the agent was started with. A key is never an argument, which others on the machine could read. */
export type Sources = {
  readonly args: readonly string[];
  readonly demo: { readonly baseUrl: string; readonly practiceId: string; readonly channelKey: string } | undefined;
  readonly key: string | undefined;
};

/** The demo's, but for what was given; the demo's key goes to the demo alone. "help" where that was asked for. */
export function readSettings({ args, demo, key: givenKey }: Sources): Settings | "help" {
  const { help, minimal = false, payer, member, file: files = [], ...given } = parse(args);
  if (help === true) return "help";
  const url = given.url ?? demo?.baseUrl;
  if (url === undefined) throw trouble("There is no demo: begin it with npm start, or name a service with --url.");
  if (!URL.canParse(url)) throw trouble(`${url} is no address: name one such as http://localhost:3000.`);
  const key = givenKey ?? (url === demo?.baseUrl ? demo.channelKey : undefined);
  if (key === undefined) throw trouble("Set PA_CHANNEL_KEY to the key of a channel of that service.");
  const practiceId = given.practice ?? demo?.practiceId;
  if (practiceId === undefined) throw trouble("Name the practice to ask for with --practice.");
  return { url, key, practiceId, minimal, payerId: payer, memberId: member, files };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const file = { type: "string", multiple: true } as const;
  const options = { url: text, practice: text, payer: text, member: text, file, minimal: flag, help: flag } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw trouble(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
