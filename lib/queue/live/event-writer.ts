/** How many messages a reader may lag behind before its stream is closed. */
const behindMax = 64;

/** The writing end of a streamed answer. */
export class EventWriter {
  readonly body: ReadableStream<Uint8Array>;
  /** Aborted when the answer has ended, for any reason. */
  readonly ended: AbortSignal;
  readonly #end = new AbortController();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** A reader that leaves is seen by the signal or by the cancellation of the body; not every server does both. */
  constructor(gone: AbortSignal) {
    this.ended = this.#end.signal;
    this.body = new ReadableStream(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end.abort() },
      new CountQueuingStrategy({ highWaterMark: behindMax }),
    );
    if (gone.aborted) this.close();
    else gone.addEventListener("abort", () => this.close(), { signal: this.ended });
  }

  /** Closes the stream of a reader that lags too far behind; it gets the changes when it connects again. */
  write(text: string): void {
    if (this.ended.aborted) return;
    if ((this.#controller?.desiredSize ?? 0) <= 0) this.close();
    else this.#controller?.enqueue(this.#encoder.encode(text));
  }

  close(): void {
    if (this.ended.aborted) return;
    this.#end.abort();
    this.#controller?.close();
  }
}
