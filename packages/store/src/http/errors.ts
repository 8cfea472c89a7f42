/** All error codes of sites and their files, with when they are thrown. */
export const httpErrorCodes = {
  E_HTTP_ADDRESS: 'an address is private, and the URL of the site does not name it',
  E_HTTP_ARCHIVE: 'a skill is an archive, and there is no "archive" option to open it',
  E_HTTP_DIGEST: 'a file has another digest or length than its index says',
  E_HTTP_FAILED: 'the server cannot be reached, answers with another status, or is too slow',
  E_HTTP_INDEX: 'the document is not an index, or has another version',
  E_HTTP_LIMIT: 'the index, an archive or the number of files is too large',
  E_HTTP_ORIGIN: 'a file or a redirect has an origin that is not allowed',
} as const

type HttpErrorCodes = { readonly [K in keyof typeof httpErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends HttpErrorCodes {}
}
