import { configuredFolder, homeFolder, type UserHost } from './user-folder.js'

/**
 * Returns the folder for a user's cache, absolute, with forward slashes. It is `skills` in `$XDG_CACHE_HOME` or
 * `~/.cache`; on macOS in `~/Library/Caches`; on Windows `skills/cache` in `%LOCALAPPDATA%`. The folder may be missing.
 * It is never a temporary folder that users share. Throws `E_STATE` if there is no home folder. See
 * docs/reference/sessions.md, "State".
 */
export function cacheFolderOf(host: UserHost): string {
  const home = (): string => homeFolder(host, 'cached', 'Name a folder that belongs to the user.')
  switch (host.platform) {
    // On Windows the state lies in the same folder, so the cache has one below it.
    case 'win32':
      return `${configuredFolder(host, 'LOCALAPPDATA') ?? `${home()}/AppData/Local`}/skills/cache`
    case 'darwin':
      return `${home()}/Library/Caches/skills`
    default:
      return `${configuredFolder(host, 'XDG_CACHE_HOME') ?? `${home()}/.cache`}/skills`
  }
}
