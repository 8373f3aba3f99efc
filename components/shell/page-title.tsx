type Props = { readonly children: string };

/**
 * The document's title, drawn with the page itself. Next's `metadata` would stream it behind the page and take the old
 * one away first: at a navigation or a refresh there would be none for a while.
 */
export function PageTitle({ children }: Props) {
  return <title>{`${children} · Prior authorization`}</title>;
}
