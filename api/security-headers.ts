/** Headers of a page: what it may load, and that it tells nobody where it was read. */

/** Where a page may load from; everything else is refused, but questions to this server. */
export interface PageSources {
  readonly script: string
  readonly style: string
  readonly img: string
  readonly font?: string
}

/** A page in no frame, with these sources alone. */
export const securityHeaders = (sources: PageSources): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    ...Object.entries(sources).map(([kind, from]) => `${kind}-src ${from}`),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer"
})
