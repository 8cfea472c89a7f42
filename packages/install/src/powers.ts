import { createSkills, type Diagnostic } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { auditCatalog, highestLevel, reachesLevel } from '@skills/inspect'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'
import type { AuditedSkill, AuditFinding, AuditLevel, AuditOptions } from '@skills/inspect/internal'
import type { SkillBytes } from './read-offered.js'

/** Powers of a skill: the findings of its audit, and their highest level. */
export interface Powers {
  readonly level: AuditLevel | undefined
  readonly findings: readonly AuditFinding[]
}

/** Difference between what two versions can do. */
export interface PowerDifference {
  readonly gained: readonly AuditFinding[]
  readonly lost: readonly AuditFinding[]
}

/**
 * Audits the folder of a skill to find out what it can do. A command that one of the agents would run counts. Runs
 * nothing.
 * @param folder folder of the skill, absolute
 * @param agents names of the agents that get the skill; none: all known ones
 */
export async function powersOf(folder: string, options: PowersCall = {}): Promise<Powers> {
  return powersAlone({ path: folder, name: folder.slice(folder.lastIndexOf('/') + 1) }, options)
}

interface PowersCall {
  readonly agents?: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Audits many skills with different names by their files, which are in a temporary folder for that time. Each has the
 * powers that it has alone.
 */
export async function powersOfFiles(
  skills: readonly { readonly name: string; readonly files: readonly SkillBytes[] }[],
  options: PowersCall = {},
): Promise<readonly Powers[]> {
  const own = temporaryRoot('skills-audit.')
  own.keep()
  try {
    const folders = skills.map(({ name, files }, at) => {
      for (const { path, bytes } of files) own.create(`${at}/${path}`, bytes)
      return { path: `${own.path}/${at}`, name }
    })
    const { audited, errors } = await auditOf(folders, options)
    const inFolder = ({ path = '' }: { readonly path?: string | undefined }): string => path.replace(/\/[^/]*$/, '')
    const powers: Powers[] = []
    for (const folder of folders) {
      const { path: top } = folder
      const [first, ...others] = audited.filter(one => inFolder(one) === top)
      // One that another skill affects, for example because it has the same text, is audited alone.
      const isAlone =
        first !== undefined &&
        others.length === 0 &&
        !errors.some(({ path = '' }) => path === top || path.startsWith(`${top}/`)) &&
        !first.findings.some(({ code }) => code === 'misleading-name')
      powers.push(isAlone ? powersIn(top, [first], []) : await powersAlone(folder, options))
    }
    return powers
  } finally {
    own.release()
    removeTemporary(own)
  }
}

interface SkillFolder {
  readonly path: string
  readonly name: string
}

async function powersAlone(folder: SkillFolder, options: PowersCall): Promise<Powers> {
  const { audited, errors } = await auditOf([folder], options)
  return powersIn(folder.path, audited, errors)
}

/** Audits the skills in some folders with one engine. */
async function auditOf(folders: readonly SkillFolder[], { agents = [], signal }: PowersCall) {
  const source = fileSource({
    id: 'staged',
    source: 'staged',
    layout: { walk: 'flat', mayBeSkill: true, skipped: [] },
    roots: () => ({
      roots: folders.map(({ path, name }) => ({ path, within: [path.slice(0, path.lastIndexOf('/'))], name })),
    }),
  })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => undefined })
  try {
    const catalog = await skills.catalog()
    const { skills: audited } = await auditCatalog(catalog, { signal, agents: rulesOf(agents) })
    return { audited, errors: catalog.errors }
  } finally {
    await skills.close()
  }
}

function powersIn(folder: string, audited: readonly Pick<AuditedSkill, 'findings'>[], errors: readonly Diagnostic[]) {
  const findings = [
    ...audited.flatMap(one => one.findings),
    ...errors.map(({ message, path }): AuditFinding => ({ level: 'high', code: 'not-audited', message, path })),
  ].map(finding => withoutFolder(finding, folder))
  return { level: highestLevel(findings), findings }
}

/** Returns true if powers reach a higher level than the highest one that is allowed. */
export function isBeyond({ level }: Powers, highest: AuditLevel): boolean {
  return level !== highest && reachesLevel(level, highest)
}

/** Returns a function that makes the distributions of some agents only when it is called, and once. */
function rulesOf(agents: readonly string[]): NonNullable<AuditOptions['agents']> {
  let rules: ReturnType<NonNullable<AuditOptions['agents']>> | undefined
  return () =>
    (rules ??= import('@skills/distributions/internal').then(async ({ embeddedRules }) =>
      embeddedRules(agents.length === 0 ? undefined : agents),
    ))
}

/** Returns a finding with paths relative to the skill's folder. */
function withoutFolder(finding: AuditFinding, folder: string): AuditFinding {
  const short = (text: string): string => text.replaceAll(`${folder}/`, '').replaceAll(folder, '.')
  return {
    ...finding,
    message: short(finding.message),
    ...(finding.path !== undefined && { path: short(finding.path) }),
  }
}

/**
 * Returns the findings that a new version of a skill gained and lost.
 * @param before undefined for a new skill
 */
export function comparePowers(before: Powers | undefined, after: Powers): PowerDifference {
  const old = before?.findings ?? []
  return { gained: beyond(after.findings, old), lost: beyond(old, after.findings) }
}

/**
 * Returns the findings that others do not have, or have less often. A finding is the same on another line, but not with
 * another text.
 */
function beyond(findings: readonly AuditFinding[], others: readonly AuditFinding[]): readonly AuditFinding[] {
  const keyOf = ({ level, code, message, path, text }: AuditFinding): string =>
    JSON.stringify([level, code, message, path, text])
  const left = new Map<string, number>()
  const count = (finding: AuditFinding, step: 1 | -1): number => {
    const before = left.get(keyOf(finding)) ?? 0
    left.set(keyOf(finding), before + step)
    return before
  }
  for (const other of others) count(other, 1)
  return findings.filter(finding => count(finding, -1) <= 0)
}
