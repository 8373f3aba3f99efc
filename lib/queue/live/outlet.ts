/** Messages a reader may be behind before it is given up. */
const behindMax = 64;

/** The writing end of an answer that goes on for a while. */
export class Outlet {
  readonly body: ReadableStream<Uint8Array>;
  /** Aborted when the answer ended, however it did. */
  readonly ended: AbortSignal;
  readonly #end = new AbortController();
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** That the reader went may come by the signal or by the body's own cancel: not every server sends both. */
  constructor(gone: AbortSignal) {
    this.ended = this.#end.signal;
    this.body = new ReadableStream(
      { start: (controller) => void (this.#controller = controller), cancel: () => this.#end.abort() },
      new CountQueuingStrategy({ highWaterMark: behindMax }),
    );
    if (gone.aborted) this.close();
    else gone.addEventListener("abort", () => this.close(), { signal: this.ended });
  }

  /** A reader who does not take what is written is given up; it finds everything at its next look. */
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
