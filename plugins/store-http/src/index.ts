export { download, type DownloadOptions } from './download.js'
export { HttpStore, httpStore, type HttpStoreOptions } from './http-store.js'
export { HttpError, httpErrorCodes, type HttpErrorCode } from './errors.js'
export type { Fetch } from './requests.js'
