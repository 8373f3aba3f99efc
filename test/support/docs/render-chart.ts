import { stringify } from "yaml";

type Context = Readonly<Record<string, unknown>>;

/**
 * Renders a chart as Helm does, by the part of Go's templates that ours use: `define`, `include`, `if`, `with`, values by
 * their path, and the functions below. Whatever else a template says is refused, so nothing is rendered by guessing.
 * Returns the text of each file that is not only definitions.
 */
export function renderChart(files: readonly string[], context: Context): readonly string[] {
  const definitions = new Map<string, readonly Token[]>();
  const bodies = files.map((text) => takeDefinitions(tokensOf(text), definitions));
  return bodies.map((tokens) => render(tokens, { root: context, dot: context, definitions }));
}

type Token = { readonly text: string } | { readonly action: string };
type Scope = {
  readonly root: Context;
  readonly dot: unknown;
  readonly definitions: ReadonlyMap<string, readonly Token[]>;
};

/** `{{-` takes the blanks before it away, `-}}` those after it. */
function tokensOf(text: string): readonly Token[] {
  const trimmed = text.replaceAll(/\s*\{\{-\s*/g, "{{ ").replaceAll(/\s*-\}\}\s*/g, " }}");
  return trimmed.split(/(\{\{.*?\}\})/s).map((part) => {
    const action = /^\{\{\s*(.*?)\s*\}\}$/s.exec(part)?.[1];
    return action === undefined ? { text: part } : { action };
  });
}

function takeDefinitions(tokens: readonly Token[], definitions: Map<string, readonly Token[]>): readonly Token[] {
  const rest: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const name = token && "action" in token ? /^define "([^"]+)"$/.exec(token.action)?.[1] : undefined;
    if (name === undefined) {
      if (token) rest.push(token);
      continue;
    }
    const end = endOf(tokens, at);
    definitions.set(name, tokens.slice(at + 1, end));
    at = end;
  }
  return rest;
}

/** Where the block that begins here ends. */
function endOf(tokens: readonly Token[], begin: number): number {
  let depth = 0;
  for (let at = begin; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || !("action" in token)) continue;
    if (/^(define|if|with) /.test(token.action)) depth += 1;
    if (token.action === "end") depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error("A block of a template does not end.");
}

function render(tokens: readonly Token[], scope: Scope): string {
  let text = "";
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    if ("text" in token) {
      text += token.text;
      continue;
    }
    const [, block, condition] = /^(if|with) (.*)$/.exec(token.action) ?? [];
    if (block === undefined || condition === undefined) {
      text += String(evaluate(token.action, scope));
      continue;
    }
    const end = endOf(tokens, at);
    const value = evaluate(condition, scope);
    if (value) text += render(tokens.slice(at + 1, end), block === "with" ? { ...scope, dot: value } : scope);
    at = end;
  }
  return text;
}

const functions: Readonly<Record<string, (value: unknown, argument: unknown) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  default: (value, other) => (value === "" || value === undefined ? other : value),
  toYaml: (value) => stringify(value).trimEnd(),
  toJson: (value) => JSON.stringify(value),
  add: (value, other) => Number(value) + Number(other),
  nindent: (value, by) => `\n${String(value).replaceAll(/^/gm, " ".repeat(Number(by)))}`,
};

/** A pipeline: a value, and functions that it goes through. */
function evaluate(action: string, scope: Scope): unknown {
  const [first = "", ...pipes] = action.split(/\s*\|\s*/);
  let value = term(first, scope);
  for (const pipe of pipes) {
    const [name = "", argument] = pipe.split(/\s+/);
    const run = functions[name];
    if (!run) throw new Error(`The chart uses ${name}, which this test cannot render.`);
    value = run(value, argument === undefined ? undefined : term(argument, scope));
  }
  return value;
}

function term(text: string, scope: Scope): unknown {
  const [, name] = /^include "([^"]+)" \.$/.exec(text) ?? [];
  if (name !== undefined) {
    const definition = scope.definitions.get(name);
    if (!definition) throw new Error(`The chart defines no ${name}.`);
    return render(definition, { ...scope, dot: scope.root });
  }
  const [, called, argument] = /^(toYaml|toJson) (\S+)$/.exec(text) ?? [];
  if (called !== undefined && argument !== undefined) return functions[called]?.(term(argument, scope), undefined);
  if (/^\d+$/.test(text)) return Number(text);
  if (text === ".") return scope.dot;
  if (!/^(\.\w+)+$/.test(text)) throw new Error(`The chart says ${text}, which this test cannot render.`);
  return text
    .slice(1)
    .split(".")
    .reduce<unknown>((value, key) => (value as Context | undefined)?.[key], scope.dot);
}
