import * as s from '@skills/core/schema'
import { abortError, type Diagnostic } from '@skills/core'
import { checkFile, type Checked, textCheckOptions } from './check-file.js'
import { isSkillFile } from './check-place.js'
import { removeBegun } from './replace-file.js'
import { repairFile } from './repair-file.js'

export const lintOptions = s.options('lintFiles()', {
  /**
   * Checks files beside a SKILL.md, such as its eval cases by `checkEvalCases` of `@skills/evals/cases`. Its findings
   * are reported with the file. Default: none are checked.
   */
  beside: s.fn<(skillFile: string, name: string | undefined, signal?: AbortSignal) => Promise<readonly Diagnostic[]>>(),
  /** True if repairs are written to the files. Default: false. */
  fix: s.flag().default(false),
  /** Called after each file with the number done and the total. */
  onProgress: s.fn<(done: number, total: number) => void>(),
  ...textCheckOptions.shape,
})

export interface LintOptions extends s.OptionsOf<typeof lintOptions> {}

export interface LintedFile {
  /** Path as given. */
  readonly path: string
  /** In order of line; on one line errors come first. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings that no longer apply, because the repair was written. */
  readonly fixed: readonly Diagnostic[]
  /** True if a repair could still be written. */
  readonly isRepairable: boolean
}

export interface LintCounts {
  readonly files: number
  readonly errors: number
  readonly warnings: number
  /** Findings that need no action. */
  readonly infos: number
  /** Files that were rewritten. */
  readonly fixedFiles: number
}

export interface LintResult {
  /** In the order of the given paths. */
  readonly files: readonly LintedFile[]
  readonly counts: LintCounts
}

/** Number of files read at the same time: a disk answers several at once, and memory holds as many files. */
const atOnce = 8

/**
 * Checks skill files completely: the whole file, every field, the body, and its place. See docs/reference/lint.md,
 * "Lint". Reports every problem of a file as a diagnostic instead of throwing it.
 * @param paths absolute, with forward slashes
 * @throws AbortError if the signal aborts; files that were already repaired keep the repair
 */
export async function lintFiles(paths: readonly string[], given?: LintOptions): Promise<LintResult> {
  const options = lintOptions.read(given)
  const { beside, signal, fix, onProgress } = options
  const files: LintedFile[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++) {
      if (signal?.aborted === true) throw abortError(signal)
      const path = paths[at] ?? ''
      const checked = await checkFile(path, options)
      // Done even if nothing is written: a run that was killed after it had begun may have left a temporary file.
      if (fix && checked.content !== undefined) removeBegun(checked.content.identity.realPath)
      const needsRepair = checked.content?.parsed.repaired !== undefined
      const untouched = { diagnostics: checked.diagnostics, fixed: [] }
      const { diagnostics, fixed } = fix && needsRepair ? await repairFile(path, checked, options) : untouched
      const found = isSkillFile(path) ? await beside?.(path, nameOf(checked, path), signal) : undefined
      files[at] = {
        path,
        diagnostics: [...inOrder(diagnostics), ...inOrder(found ?? [])],
        fixed,
        isRepairable: needsRepair && fixed.length === 0,
      }
      onProgress?.(++done, paths.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work))
  return { files, counts: countsOf(files) }
}

/** Returns the skill's name from its file, otherwise its folder's name. */
function nameOf({ content }: Checked, path: string): string | undefined {
  const name = content?.parsed.data['name']
  return typeof name === 'string' ? name : path.split('/').at(-2)
}

export function countsOf(files: readonly LintedFile[], others: readonly Diagnostic[] = []): LintCounts {
  const all = [...files.flatMap(({ diagnostics }) => diagnostics), ...others]
  const count = (severity: Diagnostic['severity']): number =>
    all.filter(diagnostic => diagnostic.severity === severity).length
  const fixedFiles = files.filter(({ fixed }) => fixed.length > 0).length
  return { files: files.length, errors: count('error'), warnings: count('warning'), infos: count('info'), fixedFiles }
}

const rank = { error: 0, warning: 1, info: 2 } as const

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || rank[a.severity] - rank[b.severity] || (a.column ?? 0) - (b.column ?? 0),
  )
}
