import { lineOfPath, readWholeFileSync } from '@skills/files'
import type { KeyPath } from '@skills/files/internal'
import { isHookSource, readHooks, skillHookEvents } from '@skills/invocation'
import { describeUnsupported } from '@skills/invocation/internal'
import { hookFindings } from './audit-fields.js'
import { highestLevel, type AuditedSkill, type AuditFinding } from './audit-finding.js'
import type { Diagnostic, PromptCommand, Skills } from '@skills/core'

/**
 * Returns the hooks of plugins in the form in which a source gives hooks to the hooks provider: one command for each
 * file of hooks. Runs none of them. The source of a file reports its problems.
 * @throws AbortError if the signal aborts
 */
export async function pluginHooksOf(
  skills: Pick<Skills, 'use'>,
  signal?: AbortSignal,
): Promise<readonly PromptCommand[]> {
  const answers = await skills
    .use('source')
    .each(async (source, call) => (isHookSource(source) ? await source.hooks(call) : []), { signal })
  return answers.flatMap(({ value }) => value)
}

/** Audits the hooks of plugins; each plugin's file is one audited item. */
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

/**
 * Checks the hooks of plugins for lint. A hook that does nothing is an error, and an unknown event a warning, as in the
 * released programs. Hooks that only other agents run are reported once a file; each hook that runs here is reported.
 */
export function checkPluginHooks(owners: readonly PromptCommand[]): readonly Diagnostic[] {
  return owners.flatMap(owner => {
    const place = placesOf(owner)
    const at = (way: KeyPath, field: string): Pick<Diagnostic, 'path' | 'line' | 'field' | 'name'> => ({
      ...(owner.filePath !== undefined && { path: owner.filePath }),
      ...place(way),
      field,
      name: owner.name,
    })
    const { problems, unsupported } = readHooks(owner.hooks)
    const wrong = problems.map(({ severity, field, keyPath, message, hint }): Diagnostic => ({
      severity,
      type: 'validation',
      code: 'invalid-hook',
      ...at(keyPath.slice(1), field),
      message: `\`${field}\` of the plugin "${owner.name}" ${message}.`,
      hint,
    }))
    const told = findingsOf(owner, runsHere).map(({ message, line }): Diagnostic => ({
      severity: 'info',
      type: 'validation',
      code: 'plugin-hook',
      ...at([], 'hooks'),
      ...(line !== undefined && { line }),
      message,
      hint: 'The hook is active as soon as the plugin is trusted.',
    }))
    const other = describeUnsupported(unsupported)
    const unrun: readonly Diagnostic[] =
      other === undefined
        ? []
        : [
            {
              severity: 'info',
              type: 'validation',
              code: 'unsupported-hook',
              ...at(other.keyPath.slice(1), other.field),
              message: `${other.message}.`,
              hint: other.hint,
            },
          ]
    return [...wrong, ...unrun, ...told]
  })
}

/** True for a hook whose event and type an engine of ours has. */
function runsHere(event: string, { type = 'command' }: Readonly<Record<string, unknown>>): boolean {
  return type === 'command' && skillHookEvents.some(one => one === event)
}

function findingsOf(owner: PromptCommand, counts?: typeof runsHere): readonly AuditFinding[] {
  const place = placesOf(owner)
  return hookFindings(owner.hooks, (_field, ...way) => place(way), counts).map(finding => ({
    ...finding,
    path: owner.filePath,
  }))
}

/**
 * Returns a function that finds the line of a part of the hooks in their file. The hooks can be the whole file or the
 * value of `hooks`; in a package file, that key is inside `skills`.
 */
export function placesOf({ filePath }: PromptCommand): (way: KeyPath) => { readonly line?: number } {
  let text: string | undefined
  return way => {
    if (filePath === undefined) return {}
    if (text === undefined) {
      const file = readWholeFileSync(filePath)
      // A file that was removed since it was read has no lines.
      if (file === undefined || 'problem' in file) return {}
      text = file.bytes.toString('utf8')
    }
    const line = [['skills', 'hooks', ...way], ['hooks', ...way], way]
      .map(path => lineOfPath(text ?? '', path))
      .find(one => one !== undefined)
    return line === undefined ? {} : { line }
  }
}
