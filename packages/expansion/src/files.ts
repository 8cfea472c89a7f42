import { checkOptions, defineProvider, SkillsError, type Host, type Provider } from '@skills/core'
import { FileReader, type FileRules } from './files/file-reader.js'
import { referenceAt } from './files/reference-path.js'
import type { EvaluateContext } from './template/expander.js'

export interface FilesExpanderOptions {
  /**
   * Folders whose files may be referred to besides those of the working folder and of the skill's own. Absolute.
   * Default: none.
   */
  readonly roots?: readonly string[] | ((host: Host) => readonly string[])
  /** Bytes that a file may have. Default 262,144. */
  readonly maxBytes?: number
  /** Bytes that all files of one text may have. Default 4 MiB. */
  readonly maxTotalBytes?: number
}

/**
 * Puts a file's content where the text of a skill has `@path`. See docs/reference/expansion.md, "File references".
 * @throws SkillsError `E_INVALID_OPTION` for a limit that is no positive whole number
 */
export function filesExpander(options: FilesExpanderOptions = {}): Provider<'expander'> {
  checkOptions<FilesExpanderOptions>('filesExpander()', options, { roots: 1, maxBytes: 1, maxTotalBytes: 1 })
  const { roots = [], maxBytes = 256 * 1024, maxTotalBytes = 4 * 1024 * 1024 } = options
  for (const [name, value] of Object.entries({ maxBytes, maxTotalBytes })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new SkillsError('E_INVALID_OPTION', `filesExpander() was given ${name}: ${value}.`, {
        hint: 'Give a whole number of bytes above 0.',
      })
    }
  }
  return defineProvider({
    kind: 'expander',
    id: 'files',
    setup({ report }) {
      const rules: FileRules = {
        roots: typeof roots === 'function' ? roots : () => roots,
        maxBytes,
        maxTotalBytes,
        report,
      }
      // One object stands for one expansion: each file is read once, and all of them together are limited.
      const readers = new WeakMap<EvaluateContext, FileReader>()
      return {
        claims: '@',
        lex(text, at, { isFenced, isCode, isNested = false }) {
          const found = isFenced || isCode || isNested ? undefined : referenceAt(text, at)
          return found && { end: found.end, data: found.path }
        },
        evaluate({ data }, context) {
          const { trust } = context
          // A server must not have the user's files read into the conversation.
          if (typeof data !== 'string' || trust === 'remote') return undefined
          const reader = readers.get(context) ?? new FileReader(context, rules)
          readers.set(context, reader)
          return reader.textOf(data)
        },
      }
    },
  })
}
