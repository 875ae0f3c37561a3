/** What became of a response. */

/** Browsers that leave early are no error of the server's. */
export function noted(error: NodeJS.ErrnoException | null | undefined): void {
  if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error);
}
