import { configuredFolder, homeFolder, type UserHost } from './user-folder.js'

/**
 * Returns the folder for a user's state, absolute, with forward slashes. It is `skills` in `$XDG_STATE_HOME` or
 * `~/.local/state`; on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`. The folder may be
 * missing. Throws `E_STATE` if there is no home folder. See docs/reference/sessions.md, "State".
 */
export function stateFolderOf(host: UserHost): string {
  const home = (): string =>
    homeFolder(host, 'remembered', 'Set HOME to your home folder. A program can pass another folder as "dir".')
  switch (host.platform) {
    case 'win32':
      return `${configuredFolder(host, 'LOCALAPPDATA') ?? `${home()}/AppData/Local`}/skills`
    case 'darwin':
      return `${home()}/Library/Application Support/skills`
    default:
      return `${configuredFolder(host, 'XDG_STATE_HOME') ?? `${home()}/.local/state`}/skills`
  }
}
