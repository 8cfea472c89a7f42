export {
  folderToTrust,
  isTrustedFolder,
  revokeFolder,
  trustedFolders,
  trustFolder,
  type TrustCallOptions,
} from './trusted-folders.js'
export { trust, type TrustOptions } from './trust.js'
