/** Selects the ETags that identify a version. */

/** The ETag if it is strong (RFC 9110, 8.8.1); `''` for a weak or missing ETag. */
export function strongETag(etag: string | null | undefined): string {
  return etag?.startsWith('"') === true ? etag : '';
}
