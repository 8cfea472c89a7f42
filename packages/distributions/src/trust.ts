/** Functions of `@skills/trust` for a host that asks its user whether to trust a folder. */
export { folderToTrust, isTrustedFolder, revokeFolder, trustedFolders, trustFolder } from '@skills/trust'
export { openState } from '@skills/state'
