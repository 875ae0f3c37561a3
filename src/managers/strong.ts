/** Which ETags name a version. */

/** The ETag, where it is strong (RFC 9110, 8.8.1); `''` for a weak one, and for none. */
export function strong(etag: string | null | undefined): string {
  return etag?.startsWith('"') === true ? etag : '';
}
