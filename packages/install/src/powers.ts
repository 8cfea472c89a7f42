import { createSkills } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { auditCatalog, highestLevel, type AuditFinding, type AuditLevel } from '@skills/inspect'

/** What a skill can do. */
export interface Powers {
  readonly level: AuditLevel | undefined
  readonly findings: readonly AuditFinding[]
}

/** How the powers of one version differ from those of another. */
export interface PowerDifference {
  readonly gained: readonly AuditFinding[]
  readonly lost: readonly AuditFinding[]
}

/**
 * What a skill can do, by an audit of its folder: nothing of it runs.
 * @param folder the skill's, absolute
 */
export async function powersOf(folder: string, signal: AbortSignal): Promise<Powers> {
  const at = folder.lastIndexOf('/')
  const source = fileSource({
    id: 'staged',
    source: 'staged',
    layout: { walk: 'flat', mayBeSkill: true, skipped: [] },
    roots: () => ({ roots: [{ path: folder, within: [folder.slice(0, at)], name: folder.slice(at + 1) }] }),
  })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => undefined })
  try {
    const catalog = await skills.catalog()
    const { skills: audited } = await auditCatalog(catalog, { signal })
    const findings = [
      ...audited.flatMap(one => one.findings),
      ...catalog.errors.map(({ message, path }): AuditFinding => ({
        level: 'high',
        code: 'not-audited',
        message,
        path,
      })),
    ].map(finding => withoutFolder(finding, folder))
    return { level: highestLevel(findings), findings }
  } finally {
    await skills.close()
  }
}

/** The same finding in whatever folder the skill lies. */
function withoutFolder(finding: AuditFinding, folder: string): AuditFinding {
  const short = (text: string): string => text.replaceAll(`${folder}/`, '').replaceAll(folder, '.')
  return {
    ...finding,
    message: short(finding.message),
    ...(finding.path !== undefined && { path: short(finding.path) }),
  }
}

/** @param before undefined: a skill that was not there */
export function comparePowers(before: Powers | undefined, after: Powers): PowerDifference {
  const [old, now] = [countsOf(before?.findings ?? []), countsOf(after.findings)]
  const beyond = (findings: readonly AuditFinding[], others: Map<string, number>): readonly AuditFinding[] => {
    const left = new Map(others)
    return findings.filter(finding => {
      const key = keyOf(finding)
      const count = left.get(key) ?? 0
      left.set(key, count - 1)
      return count <= 0
    })
  }
  return { gained: beyond(after.findings, old), lost: beyond(before?.findings ?? [], now) }
}

/** A finding is the same on another line, and not with another text. */
function keyOf({ level, code, message, path, text }: AuditFinding): string {
  return JSON.stringify([level, code, message, path, text])
}

function countsOf(findings: readonly AuditFinding[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1)
  return counts
}
