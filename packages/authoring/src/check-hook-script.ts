import { statOf } from '@skills/files/internal'
import type { Diagnostic } from '@skills/core'

/** Path in the plugin as a hook's command names it; the quote that may end the variable belongs to the shell. */
const script = /\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT\b)["']?\/([^\s"'`$;|&<>(){}*?\\]+)/g

type Found = Pick<Diagnostic, 'severity' | 'type' | 'code' | 'message' | 'hint'>

/**
 * Returns problems that keep a hook's command from running a file of its plugin.
 * @param folder folder of the plugin, absolute
 * @param packed files that npm would publish, relative to the folder; undefined: not checked
 */
export function checkHookScript(
  command: string,
  folder: string,
  packed: ReadonlySet<string> | undefined,
): readonly Found[] {
  return [...command.matchAll(script)].flatMap(({ 1: path = '', index }): readonly Found[] => {
    const say = (code: string, message: string, hint: string): readonly Found[] => [
      { severity: 'error', type: 'validation', code, message, hint },
    ]
    const stats = statOf(`${folder}/${path}`)
    if (stats === undefined)
      return say(
        'missing-script',
        `A hook names ${path}, but that file does not exist.`,
        'Add the file, or correct the path.',
      )
    // A file that an interpreter runs need not be executable.
    const isProgram = /^\s*["']?$/.test(command.slice(0, index))
    if (isProgram && process.platform !== 'win32' && stats.isFile() && (stats.mode & 0o111) === 0) {
      return say(
        'not-executable',
        `A hook runs ${path}, which is not executable.`,
        `Run chmod +x ${path}, or write an interpreter such as bash before its path.`,
      )
    }
    if (packed === undefined || !stats.isFile() || packed.has(path)) return []
    return say(
      'left-out',
      `npm would leave out ${path}, which a hook needs.`,
      'Name the file or its folder in "files" of package.json, or remove it from .npmignore. npm does not publish links.',
    )
  })
}
