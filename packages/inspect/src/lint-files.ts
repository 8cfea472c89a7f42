import * as s from '@skills/core/schema'
import { abortError, type Diagnostic } from '@skills/core'
import { checkFile, type Checked, textCheckOptions } from './check-file.js'
import { isSkillFile } from './check-place.js'
import { removeBegun } from './replace-file.js'
import { repairFile } from './repair-file.js'

export const lintOptions = s.options('lintFiles()', {
  /**
   * Checks what stands beside a SKILL.md, such as its eval cases: `checkEvalCases` of `@skills/evals/cases`. What it
   * finds is told of with the file. Default: nothing is looked at.
   */
  beside: s.fn<(skillFile: string, name: string | undefined, signal?: AbortSignal) => Promise<readonly Diagnostic[]>>(),
  /** Whether repairs are written to the files. */
  fix: s.flag().default(false),
  /** Told after each file how many of how many are done. */
  onProgress: s.fn<(done: number, total: number) => void>(),
  ...textCheckOptions.shape,
})

export interface LintOptions extends s.OptionsOf<typeof lintOptions> {}

export interface LintedFile {
  /** As it was given. */
  readonly path: string
  /** In order of line, errors first where lines are equal. */
  readonly diagnostics: readonly Diagnostic[]
  /** What the file was warned for until its repair was written. */
  readonly fixed: readonly Diagnostic[]
  /** Whether a repair could still be written. */
  readonly isRepairable: boolean
}

export interface LintCounts {
  readonly files: number
  readonly errors: number
  readonly warnings: number
  /** Advice: nothing has to be done. */
  readonly infos: number
  /** Files that were rewritten. */
  readonly fixedFiles: number
}

export interface LintResult {
  /** In the order of the paths given. */
  readonly files: readonly LintedFile[]
  readonly counts: LintCounts
}

/** Reads that wait side by side: a disk answers several at once, and memory holds as many files. */
const atOnce = 8

/**
 * Checks skill files completely: the whole file, every field, the body, and where it lies. See
 * docs/reference/lint.md, "Lint". What is wrong with a file is a diagnostic, never a throw.
 * @param paths absolute, forward slashes
 * @throws AbortError when the signal aborts; files that were rewritten by then stay so
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
      // Written or not: a run that was killed after it had begun may have been all that the file needed.
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

/** What a skill is called by its file, else by its folder. */
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
