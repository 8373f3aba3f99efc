import Markdown, { type MarkdownToJSX } from "markdown-to-jsx/react";
import Link from "next/link";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { ScrollRegion } from "#components/text/scroll-region";
import { CopyButton } from "./copy-button.tsx";

/** Markdown of ours as a part of a page. Markup in it is shown and not interpreted. */
export function MarkdownText({ children }: { readonly children: string }) {
  return <Markdown options={options}>{children}</Markdown>;
}

const options: MarkdownToJSX.Options = {
  forceBlock: true,
  disableParsingRawHTML: true,
  wrapper: "div",
  overrides: {
    h1: ({ id, children }: Heading) => (
      <h1 id={id} className="mb-4 text-2xl font-semibold text-balance">
        {children}
      </h1>
    ),
    h2: ({ id, children }: Heading) => (
      <h2 id={id} className="mt-9 mb-3 scroll-mt-12 border-t border-line pt-6 text-xl font-semibold">
        {children}
      </h2>
    ),
    h3: ({ id, children }: Heading) => (
      <h3 id={id} className="mt-6 mb-2 scroll-mt-12 text-lg font-semibold">
        {children}
      </h3>
    ),
    p: (props: ComponentProps<"p">) => <p {...props} className="my-3 max-w-prose text-lg text-ink-soft" />,
    ul: (props: ComponentProps<"ul">) => (
      <ul {...props} className="my-3 max-w-prose list-disc space-y-1.5 ps-5 text-lg text-ink-soft" />
    ),
    ol: (props: ComponentProps<"ol">) => (
      <ol {...props} className="my-3 max-w-prose list-decimal space-y-1.5 ps-6 text-lg text-ink-soft" />
    ),
    strong: (props: ComponentProps<"strong">) => <strong {...props} className="font-semibold text-ink" />,
    a: Anchor,
    pre: Block,
    code: Code,
    table: (props: ComponentProps<"table">) => (
      <ScrollRegion label="Table" className="my-4 overflow-x-auto rounded-lg border border-line bg-surface">
        <table {...props} className="w-full border-collapse text-start" />
      </ScrollRegion>
    ),
    th: (props: ComponentProps<"th">) => (
      <th
        {...props}
        scope="col"
        className="border-b border-line bg-sunken px-3 py-2 text-start text-xs font-semibold whitespace-nowrap text-ink-faint"
      />
    ),
    td: (props: ComponentProps<"td">) => (
      <td
        {...props}
        className="min-w-32 border-t border-line px-3 py-2 align-top text-ink-soft max-sm:min-w-40 [&_code]:wrap-break-word"
      />
    ),
  },
};

type Heading = ComponentProps<"h2">;

/** Guides link each other as files, so that the links hold in the repository too. */
function Anchor({ href = "", children }: ComponentProps<"a">) {
  const to = href.replace(/^([a-z-]+)\.md(#.*)?$/, "/developers/$1$2");
  const look = "text-news underline decoration-line-strong underline-offset-2 hover:decoration-current";
  return to.startsWith("/developers/") && !to.endsWith(".json") ? (
    <Link href={to} prefetch={false} className={look}>
      {children}
    </Link>
  ) : (
    <a href={to} className={look}>
      {children}
    </a>
  );
}

function Code({ children }: { readonly children?: ReactNode }) {
  return (
    <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.9em] text-ink wrap-anywhere">{children}</code>
  );
}

/** A block of code, with a button that copies it; what a program prints is nothing to copy. */
function Block({ children }: { readonly children?: ReactNode }) {
  // Safe because the library writes a block as one `code` element in a `pre`.
  const code = children as ReactElement<{ readonly children?: ReactNode; readonly className?: string }>;
  const text = textOf(code.props.children).trimEnd();
  if (/\blang-text\b/.test(code.props.className ?? "")) return <Printed>{text}</Printed>;
  return (
    <div className="my-4 flex rounded-lg border border-line bg-sunken max-sm:flex-col-reverse">
      <ScrollRegion
        as="pre"
        label="Code"
        className="min-w-0 flex-1 overflow-x-auto rounded-lg px-4 py-3 font-mono text-sm text-ink"
      >
        {text}
      </ScrollRegion>
      <div className="shrink-0 p-2 text-end max-sm:pb-0 print:hidden">
        <CopyButton text={text} />
      </div>
    </div>
  );
}

function Printed({ children }: { readonly children: string }) {
  return (
    <ScrollRegion
      as="pre"
      label="What it prints"
      className="my-4 overflow-x-auto border-s-2 border-line-strong px-4 py-1 font-mono text-sm text-ink-soft"
    >
      {children}
    </ScrollRegion>
  );
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  return typeof node === "string" || typeof node === "number" ? String(node) : "";
}
