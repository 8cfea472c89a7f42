import { findProjectFolders } from '@skills/files'
import { isAlmostSkill, isInside } from '@skills/files/internal'
import { lintCatalog } from './lint-catalog.js'
import { lintFiles } from './lint-files.js'
import { applyPlaceRepair, folderRepairOf, placeRepairOf, type PlaceRepair } from './place-repair.js'
import type { Diagnostic, Host, Skills } from '@skills/core'
import type { FolderElsewhere } from './skills-elsewhere.js'

/** Kinds of harm, the worst first. */
export const harms = ['skills', 'agents', 'places', 'untold', 'settings', 'texts', 'machine'] as const

export type Harm = (typeof harms)[number]

/** One thing that is wrong, and how it is mended. */
export interface Finding {
  readonly harm: Harm
  readonly diagnostic: Diagnostic
  /** Repair that can be made; `text` rewrites the file. Undefined if a person has to decide. */
  readonly repair?: PlaceRepair | { readonly how: 'text'; readonly path: string } | undefined
}

export interface DiagnosisCall {
  /** Diagnostics besides those of the catalog. */
  readonly reported: readonly Diagnostic[]
  /** Diagnostics about configuration and settings files. */
  readonly misconfigured: readonly Diagnostic[]
  /** Folders of skills that the engine does not search, each with its problem. */
  readonly elsewhere: readonly (readonly [folder: FolderElsewhere, problem: Diagnostic])[]
  readonly signal?: AbortSignal | undefined
}

/** Finds out what is wrong with the files, folders and settings from which the skills of an engine were loaded. */
export async function diagnose(
  skills: Skills,
  { reported, misconfigured, elsewhere, signal }: DiagnosisCall,
): Promise<readonly Finding[]> {
  const catalog = await skills.catalog({ signal })
  const { files, others } = await lintCatalog(catalog, { reported, fields: { words: skills.words }, signal })
  const found: Finding[] = []
  for (const one of others) if (one.severity !== 'info') found.push(await placeFinding(one, misconfigured))
  for (const { path, diagnostics, isRepairable } of files) {
    const repair = isRepairable ? ({ how: 'text', path } as const) : undefined
    const places = diagnostics.filter(one => one.code === 'other-case' || isAlmostSkill(one))
    for (const one of places) {
      const finding = await placeFinding(one, misconfigured)
      // Such a file is read here, and renaming it helps other tools.
      found.push(one.code === 'other-case' ? { ...finding, harm: 'texts' } : finding)
    }
    const errors = diagnostics.filter(one => one.severity === 'error' && !places.includes(one))
    for (const one of errors) found.push({ harm: 'skills', diagnostic: one, repair })
    const warnings = diagnostics.filter(one => one.severity === 'warning' && !places.includes(one))
    // Only repairs of how a text is written concern the reader.
    const first = warnings.find(({ code, type }) => code === 'misspelt-field' || type === 'parse') ?? warnings[0]
    if (repair !== undefined && errors.length === 0 && first !== undefined)
      found.push({ harm: 'texts', diagnostic: first, repair })
  }
  for (const [folder, diagnostic] of elsewhere)
    found.push({ harm: 'places', diagnostic, repair: folderRepairOf(folder) })
  return found
}

async function placeFinding(diagnostic: Diagnostic, misconfigured: readonly Diagnostic[]): Promise<Finding> {
  const isSetting = misconfigured.some(
    ({ code, path, message }) => code === diagnostic.code && path === diagnostic.path && message === diagnostic.message,
  )
  return { harm: isSetting ? 'settings' : 'skills', diagnostic, repair: await placeRepairOf(diagnostic) }
}

/** Sorts findings, the worst first. */
export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => harms.indexOf(a.harm) - harms.indexOf(b.harm) || rank(a) - rank(b))
}

const rank = ({ diagnostic: { severity } }: Finding): number => ['error', 'warning', 'info'].indexOf(severity)

/** Oldest Node that this program supports. */
const oldestNode = [20, 19] as const

/**
 * Returns the problem of a Node that is too old.
 * @param version such as `20.19.0`
 */
export function nodeProblems(version: string): readonly Diagnostic[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return []
  return [
    {
      severity: 'error',
      type: 'source',
      code: 'old-node',
      message: `This is Node ${version}, and ${oldestNode.join('.')} or newer is needed.`,
      hint: 'Install a newer Node.',
    },
  ]
}

/** Result of a repair that was tried. */
export interface Mended {
  readonly finding: Finding
  /** Reason why nothing was changed. */
  readonly failure?: string | undefined
}

export interface MendCall {
  /** True if the user's own skills are mended too. Default: those of the project alone. */
  readonly withUser: boolean
  /** Returns the reason why nothing is changed at a path that lies elsewhere. */
  readonly outside: (path: string) => string
  readonly signal?: AbortSignal | undefined
}

/** Returns the folder in which a repair may change a path: the project, or for the user the home folder. */
export function mendedTop(
  path: string,
  host: Pick<Host, 'cwd' | 'home' | 'uid'>,
  withUser: boolean,
): string | undefined {
  const { top } = findProjectFolders(host)
  if (isInside(path, top) && top !== host.home) return top
  return withUser && isInside(path, host.home) ? host.home : undefined
}

/** Makes the repairs of findings in the project of an engine, and for the user. Changes nothing elsewhere. */
export async function mend(
  findings: readonly Finding[],
  { host, words }: Pick<Skills, 'words'> & { readonly host: Pick<Host, 'cwd' | 'home' | 'uid'> },
  { withUser, outside, signal }: MendCall,
): Promise<readonly Mended[]> {
  const done: Mended[] = []
  for (const finding of findings) {
    const { repair } = finding
    if (repair === undefined) continue
    const at = repair.how === 'text' ? repair.path : repair.to
    const within = mendedTop(at, host, withUser)
    if (within === undefined) done.push({ finding, failure: outside(at) })
    else if (repair.how !== 'text') done.push({ finding, failure: applyPlaceRepair(repair, within) })
    else {
      const linted = await lintFiles([repair.path], { fix: true, fields: { words }, signal })
      const failure = linted.files[0]?.diagnostics.find(({ code }) => code === 'not-repaired')?.message
      done.push({ finding, failure })
    }
  }
  return done
}
