/** All error codes of sites and their files, with when they are thrown. */
export const httpErrorCodes = {
  E_HTTP_ADDRESS: 'an address is private, and the URL of the site does not name it',
  E_HTTP_ARCHIVE: 'a skill is an archive, and there is no "archive" option to open it',
  E_HTTP_DIGEST: 'a file is not the one that the index gives the digest of',
  E_HTTP_FAILED: 'the server cannot be reached, or does not give what it was asked for',
  E_HTTP_INDEX: 'the index is none, or one of another version',
  E_HTTP_LIMIT: 'the index, an archive or the number of files is larger than is allowed',
  E_HTTP_ORIGIN: 'a file or a redirect is of another origin, which is not allowed',
} as const

type HttpErrorCodes = { readonly [K in keyof typeof httpErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends HttpErrorCodes {}
}
