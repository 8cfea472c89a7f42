export { download, type DownloadOptions } from './http/download.js'
export { HttpStore, httpStore, type HttpStoreOptions } from './http/http-store.js'
export { HttpError, httpErrorCodes, type HttpErrorCode } from './http/errors.js'
export type { Fetch } from './http/requests.js'
