import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import type { Tone } from "./badge.tsx";
import { classNames } from "./class-names.ts";

const looks: Readonly<Record<Tone, { readonly box: string; readonly icon: string; readonly Icon: typeof Info }>> = {
  plain: { box: "border-line bg-sunken", icon: "text-ink-faint", Icon: Info },
  news: { box: "border-news/30 bg-news-wash", icon: "text-news", Icon: Info },
  good: { box: "border-good/30 bg-good-wash", icon: "text-good", Icon: CircleCheck },
  warn: { box: "border-warn/30 bg-warn-wash", icon: "text-warn", Icon: TriangleAlert },
  bad: { box: "border-bad/30 bg-bad-wash", icon: "text-bad", Icon: CircleAlert },
};

type Props = Omit<ComponentProps<"div">, "title"> & {
  readonly tone?: Tone | undefined;
  readonly title?: ReactNode | undefined;
};

/** Something to know. Give it `role="alert"` when it answers what was just done, `role="status"` when it reports. */
export function Notice({ tone = "plain", title, children, className, ...rest }: Props) {
  const { box, icon, Icon } = looks[tone];
  return (
    <div className={classNames("flex gap-2.5 rounded-md border px-3 py-2.5", box, className)} {...rest}>
      <Icon aria-hidden size={16} className={classNames("mt-0.5 shrink-0", icon)} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
