type Props = {
  readonly secret: string;
  readonly qr: { readonly size: number; readonly path: string };
};

/** The secret an authenticator app is given, for its camera and for whoever types it. */
export function TotpOffer({ secret, qr }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-[auto_minmax(0,1fr)]">
      {/* Dark on light in either theme: many readers see nothing in the reverse. */}
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="QR code of the secret"
        className="size-44 rounded-md border border-line"
      >
        <rect width={qr.size} height={qr.size} fill="white" />
        <path d={qr.path} fill="black" shapeRendering="crispEdges" />
      </svg>
      <div>
        <p>Scan this with the app, or type the secret into it:</p>
        <p className="mt-2 font-mono text-sm wrap-anywhere">{secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</p>
        <p className="mt-2 text-sm text-ink-faint">Six digits, every 30 seconds (TOTP, SHA-1). Don't share it.</p>
      </div>
    </div>
  );
}
