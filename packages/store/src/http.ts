export { download } from './http/download.js'
export { httpStore, type HttpStoreOptions } from './http/http-store.js'
export { httpErrorCodes } from './http/errors.js'
