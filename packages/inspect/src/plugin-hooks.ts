import { lineOfPath, readWholeFileSync } from '@skills/files'
import type { KeyPath } from '@skills/files/internal'
import { isHookSource, readHooks } from '@skills/invocation'
import { hookFindings } from './audit-fields.js'
import { highestLevel, type AuditedSkill, type AuditFinding } from './audit-finding.js'
import type { Diagnostic, PromptCommand, Skills } from '@skills/core'

/**
 * The hooks that plugins bring along, as their sources give them to the hooks provider: one command for each file of
 * hooks. Nothing of them runs. What is wrong with a file is reported by its source.
 * @throws AbortError when the signal aborts
 */
export async function pluginHooksOf(
  skills: Pick<Skills, 'use'>,
  signal: AbortSignal,
): Promise<readonly PromptCommand[]> {
  const answers = await skills
    .use('source')
    .each(async (source, call) => (isHookSource(source) ? await source.hooks(call) : []), { signal })
  return answers.flatMap(({ value }) => value)
}

/** What the hooks of plugins do, each plugin's file as one thing that was looked at. */
export function auditHooks(owners: readonly PromptCommand[]): readonly AuditedSkill[] {
  return owners.flatMap((owner): readonly AuditedSkill[] => {
    const findings = findingsOf(owner)
    return findings.length === 0
      ? []
      : [
          {
            name: `hooks of ${owner.name}`,
            source: owner.source,
            path: owner.filePath,
            level: highestLevel(findings),
            findings,
          },
        ]
  })
}

/** The same for lint: what does nothing is an error, and each that does something is said. */
export function checkPluginHooks(owners: readonly PromptCommand[]): readonly Diagnostic[] {
  return owners.flatMap(owner => {
    const place = placesOf(owner)
    const at = (way: KeyPath, field: string): Pick<Diagnostic, 'path' | 'line' | 'field' | 'name'> => ({
      ...(owner.filePath !== undefined && { path: owner.filePath }),
      ...place(way),
      field,
      name: owner.name,
    })
    const wrong = readHooks(owner.hooks).problems.map(({ field, keyPath, message, hint }): Diagnostic => ({
      severity: 'error',
      type: 'validation',
      code: 'invalid-hook',
      ...at(keyPath.slice(1), field),
      message: `\`${field}\` of the plugin "${owner.name}" ${message}.`,
      hint,
    }))
    const told = findingsOf(owner).map(({ message, line }): Diagnostic => ({
      severity: 'info',
      type: 'validation',
      code: 'plugin-hook',
      ...at([], 'hooks'),
      ...(line !== undefined && { line }),
      message,
      hint: 'It runs once the plugin is trusted.',
    }))
    return [...wrong, ...told]
  })
}

function findingsOf(owner: PromptCommand): readonly AuditFinding[] {
  const place = placesOf(owner)
  return hookFindings(owner.hooks, (_field, ...way) => place(way)).map(finding => ({
    ...finding,
    path: owner.filePath,
  }))
}

/**
 * Where something of the hooks stands in their file: the map may be all of it, or stand below `hooks`, in a package
 * file below `skills`.
 */
export function placesOf({ filePath }: PromptCommand): (way: KeyPath) => { readonly line?: number } {
  let text: string | undefined
  return way => {
    if (filePath === undefined) return {}
    if (text === undefined) {
      const file = readWholeFileSync(filePath)
      // Gone since it was read: then there is no line.
      if (file === undefined || 'problem' in file) return {}
      text = file.bytes.toString('utf8')
    }
    const line = [['skills', 'hooks', ...way], ['hooks', ...way], way]
      .map(path => lineOfPath(text ?? '', path))
      .find(one => one !== undefined)
    return line === undefined ? {} : { line }
  }
}
