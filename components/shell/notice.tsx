import { CircleAlert, CircleCheck, Info, TriangleAlert, type IconNode } from "lucide";
import type { ComponentProps, ReactNode } from "react";
import type { Tone } from "#components/list/badge";
import { classNames } from "./class-names.tsx";
import { Icon } from "./icon.tsx";

const looks: Readonly<Record<Tone, { readonly box: string; readonly ink: string; readonly icon: IconNode }>> = {
  plain: { box: "border-line bg-sunken", ink: "text-ink-faint", icon: Info },
  news: { box: "border-news/30 bg-news-wash", ink: "text-news", icon: Info },
  good: { box: "border-good/30 bg-good-wash", ink: "text-good", icon: CircleCheck },
  warn: { box: "border-warn/30 bg-warn-wash", ink: "text-warn", icon: TriangleAlert },
  bad: { box: "border-bad/30 bg-bad-wash", ink: "text-bad", icon: CircleAlert },
};

type Props = Omit<ComponentProps<"div">, "title"> & {
  readonly tone?: Tone | undefined;
  readonly title?: ReactNode | undefined;
};

/** Something to know. Give it `role="alert"` when it answers what was just done, `role="status"` when it reports. */
export function Notice({ tone = "plain", title, children, className, ...rest }: Props) {
  const { box, ink, icon } = looks[tone];
  return (
    <div className={classNames("flex gap-2.5 rounded-md border px-3 py-2.5", box, className)} {...rest}>
      <Icon of={icon} className={classNames("mt-0.5 shrink-0", ink)} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
