/** What a host needs that asks its user whether a folder is to be trusted: the functions of `@skills/trust`. */
export { folderToTrust, isTrustedFolder, revokeFolder, trustedFolders, trustFolder } from '@skills/trust'
export { openState } from '@skills/state'
