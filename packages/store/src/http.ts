export { download, type DownloadOptions } from './http/download.js'
export { HttpStore, httpStore, type HttpStoreOptions } from './http/http-store.js'
export type { Fetch } from './http/requests.js'
export { httpErrorCodes } from './http/errors.js'
