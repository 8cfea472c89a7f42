import { dirname } from 'node:path'
import * as s from '@skills/core/schema'
import { abortError, type Diagnostic } from '@skills/core'
import { realPathOf } from '@skills/files/internal'
import { checkFile, type Checked, textCheckOptions } from './check-file.js'
import { isSkillFile } from './check-place.js'
import { removeBegun } from './replace-file.js'
import { applyPlaceRepair, placeRepairOf } from './place-repair.js'
import { canBeRepaired, repairFile, type Repaired } from './repair-file.js'

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
  const { signal, fix, onProgress } = options
  const files: LintedFile[] = []
  const underWay = new Map<string, Promise<unknown>>()
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++) {
      if (signal?.aborted === true) throw abortError(signal)
      const path = paths[at] ?? ''
      // A file that several paths lead to is repaired once; the others are checked after that.
      const real = fix ? (realPathOf(path) ?? path) : path
      const before = underWay.get(real)
      const linting = (before ?? Promise.resolve()).then(() => lintOne(path, options))
      if (fix) underWay.set(real, linting)
      files[at] = await linting
      onProgress?.(++done, paths.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work))
  return { files, counts: countsOf(files) }
}

async function lintOne(path: string, options: ReturnType<typeof lintOptions.read>): Promise<LintedFile> {
  const { beside, signal, fix } = options
  const checked = await checkFile(path, options)
  const { identity } = checked.content ?? checked.unread ?? {}
  // Done even if nothing is written: a run that was killed after it had begun may have left a temporary file.
  if (fix && identity !== undefined) removeBegun(identity.realPath)
  const isRepairable = await canBeRepaired(path, checked, options)
  const untouched = { diagnostics: checked.diagnostics, fixed: [] }
  const repaired = fix && isRepairable ? await repairFile(path, checked, options) : untouched
  const { diagnostics, fixed } = fix ? await withName(path, repaired) : repaired
  const found = isSkillFile(path) ? await beside?.(path, nameOf(checked, path), signal) : undefined
  const isMisnamed = diagnostics.some(({ code }) => code === 'other-case')
  return {
    path,
    diagnostics: [...inOrder(diagnostics), ...inOrder(found ?? [])],
    fixed,
    isRepairable: (isRepairable && fixed.length === 0) || (isMisnamed && !fix),
  }
}

/** Gives a `skill.md` its right name, last: its other repairs are written under the name that it had. */
async function withName(path: string, { diagnostics, fixed }: Repaired): Promise<Repaired> {
  const misnamed = diagnostics.find(({ code }) => code === 'other-case')
  const repair = misnamed && (await placeRepairOf({ ...misnamed, path }))
  if (misnamed === undefined || repair === undefined) return { diagnostics, fixed }
  const failure = applyPlaceRepair(repair, dirname(path))
  const others = diagnostics.filter(one => one !== misnamed)
  if (failure === undefined) return { diagnostics: others, fixed: [...fixed, misnamed] }
  const hint = 'Rename the file by hand.'
  const refusal = { severity: 'error', type: 'io', code: 'not-repaired', path, message: failure, hint } as const
  return { diagnostics: [...diagnostics, refusal], fixed }
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
