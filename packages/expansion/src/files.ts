import * as s from '@skills/core/schema'
import { defineProvider, type Host, type Provider } from '@skills/core'
import { FileReader, type FileRules } from './files/file-reader.js'
import { referenceAt } from './files/reference-path.js'
import type { EvaluateContext } from './template/expander.js'

const filesExpanderOptions = s.options('filesExpander()', {
  /** Absolute paths of folders whose files may be referred to, besides the working folder and the skill's own. */
  roots: s.either(s.list(s.text()), s.fn<(host: Host) => readonly string[]>()).default([]),
  /** Largest file in bytes. */
  maxBytes: s.count().default(256 * 1024),
  /** Most bytes of all files of one text together. */
  maxTotalBytes: s.count().default(4 * 1024 * 1024),
})

export interface FilesExpanderOptions extends s.OptionsOf<typeof filesExpanderOptions> {}

/**
 * Replaces `@path` in the text of a skill by the content of that file. See docs/reference/expansion.md, "File
 * references".
 * @throws SkillsError `E_INVALID_OPTION` for a limit that is not a whole number above 0
 */
export function filesExpander(given?: FilesExpanderOptions): Provider<'expander'> {
  const { roots, maxBytes, maxTotalBytes } = filesExpanderOptions.read(given)
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
      // One context object is one expansion: each file is read once, and the total of all files is limited.
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
