/** What becomes of what is printed: on a full disk it is lost, and nobody should believe that it is there. */

export interface Printed {
  /** Waits until all is written; what kept it from its reader, if anything did. */
  failure(): Promise<Error | undefined>;
}

/** From now on, so that no error of a stream ends the process by itself. */
export function watchStreams(streams: readonly NodeJS.WritableStream[]): Printed {
  const watched = streams.map(watch);
  return {
    async failure() {
      const failures = await Promise.all(watched.map((flush) => flush()));
      return failures.find((error) => error !== undefined && !hasEnough(error));
    },
  };
}

/** Later errors of a stream only say that it has failed. */
function watch(stream: NodeJS.WritableStream): () => Promise<Error | undefined> {
  let first: Error | undefined;
  const note = (error: Error | null | undefined) => {
    first ??= error ?? undefined;
  };
  stream.on('error', note);
  return () =>
    new Promise((resolve) => {
      stream.write('', (error) => {
        note(error);
        resolve(first);
      });
    });
}

/** A reader that has seen enough, such as head, is no trouble of ours. */
function hasEnough(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE';
}
