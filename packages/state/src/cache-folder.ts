import { configuredFolder, homeFolder, type UserHost } from './user-folder.js'

/**
 * The folder for what a user's engines can make anew at any time, absolute, forward slashes: `skills` in
 * `$XDG_CACHE_HOME` or `~/.cache`; on macOS in `~/Library/Caches`; on Windows `skills/cache` in `%LOCALAPPDATA%`. It
 * need not exist, and it is never a temporary folder that users share. Throws `E_STATE` where there is no home folder.
 * See docs/reference/sessions.md, "State".
 */
export function cacheFolderOf(host: UserHost): string {
  const home = (): string => homeFolder(host, 'cached', "Name a folder of the user's own.")
  switch (host.platform) {
    // What is remembered lies beside it there.
    case 'win32':
      return `${configuredFolder(host, 'LOCALAPPDATA') ?? `${home()}/AppData/Local`}/skills/cache`
    case 'darwin':
      return `${home()}/Library/Caches/skills`
    default:
      return `${configuredFolder(host, 'XDG_CACHE_HOME') ?? `${home()}/.cache`}/skills`
  }
}
