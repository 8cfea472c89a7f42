import { closestNames, messageOf, type Diagnostic } from '@skills/core'
import { fieldPath, lstatOf, placeOfJsonError } from '@skills/files/internal'
import { lineOfPath, readWholeFile } from '@skills/files'
import { sourceNames } from '@skills/files/source'
import { brokenPolicy, fixedSources, type Policy } from './policy.js'
import { exposureOf, type Ownership, policyName } from './managed-dirs.js'
import { parsePolicy, policyKeys, type PolicySection } from './policy-schema.js'

// One import loads everything that a policy needs. Without a policy nothing of it is loaded.
export { PolicyRules } from './policy-rules.js'

/** Reads the policies of the managed folders. A folder without a policy is left out. */
export async function readPolicies(dirs: readonly string[], ownership: Ownership): Promise<readonly Policy[]> {
  return (await Promise.all(dirs.map(dir => readPolicy(dir, ownership)))).filter(policy => policy !== undefined)
}

async function readPolicy(dir: string, ownership: Ownership): Promise<Policy | undefined> {
  const path = `${dir}/${policyName}`
  const file = await readWholeFile(path)
  if (file === undefined) {
    // It was removed meanwhile. One that still exists changed during the read, and must not count as missing.
    if (lstatOf(path) === undefined) return undefined
    return brokenPolicy(path, {
      severity: 'error',
      type: 'io',
      message: `The file ${path} changed while it was read.`,
      ...closed('unreadable-policy', path),
    })
  }
  if ('problem' in file) return brokenPolicy(path, { ...file.problem, ...closed('unreadable-policy', path) })
  const parsed = parsedPolicy(file.bytes)
  if ('error' in parsed) {
    const message = `The policy is not JSON: ${messageOf(parsed.error)}.`
    return brokenPolicy(path, {
      severity: 'error',
      type: 'parse',
      message,
      ...closed('invalid-policy', path),
      ...placeOfJsonError(file.bytes.toString()),
    })
  }
  const { text } = parsed
  if ('message' in parsed) {
    const field = fieldPath(parsed.keys)
    return brokenPolicy(path, {
      severity: 'error',
      type: 'validation',
      ...closed('invalid-policy', path),
      message: `${field === '' ? 'The policy' : `"${field}" of the policy`} ${parsed.message}.`,
      ...(field === '' ? {} : { field, ...lineOf(lineOfPath(text, parsed.keys.slice(0, 2).map(String))) }),
    })
  }
  const { section = {} } = parsed
  const { disabledSources = [], allowedSources, disabledSkills = [], disableShell = false } = section
  const problems = [...exposureProblems([dir, path], path, ownership), ...sectionProblems(section, path, text)]
  return { path, isBroken: false, disabledSources, allowedSources, disabledSkills, disableShell, problems }
}

function parsedPolicy(bytes: Buffer) {
  try {
    // A byte order mark is dropped. Bytes that are not UTF-8 make an invalid policy.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, ...parsePolicy(text) }
  } catch (error) {
    return { error }
  }
}

/** Returns the common fields of a policy's errors. The hint names the consequences, which appear in other places. */
function closed(code: string, path: string): Pick<Diagnostic, 'code' | 'hint' | 'path'> {
  return {
    code,
    path,
    hint: 'Until the policy is corrected, only managed and built-in commands load, and no command embedded in a skill runs.',
  }
}

function lineOf(line: number | undefined): { readonly line?: number } {
  return line === undefined ? {} : { line }
}

/** Returns a warning if others may write to a policy. It still applies, although they can change its restrictions. */
function exposureProblems(way: readonly string[], path: string, ownership: Ownership): readonly Diagnostic[] {
  const open = way
    .map(one => ({ one, exposure: exposureOf(one, ownership) }))
    .find(({ exposure }) => exposure !== undefined)
  return open === undefined
    ? []
    : [
        {
          severity: 'warning',
          type: 'validation',
          code: 'open-policy',
          path,
          message: `${open.one} ${open.exposure}, so users other than an administrator can change the policy. The policy still applies.`,
          hint: 'Have an administrator run "chown root" and "chmod go-w" on it.',
        },
      ]
}

/** Returns warnings for values of a policy that have no effect, or not the intended one. */
function sectionProblems(section: PolicySection, path: string, text: string): readonly Diagnostic[] {
  const warning = (code: string, field: string, message: string, hint: string): Diagnostic => ({
    severity: 'warning',
    type: 'validation',
    code,
    path,
    field: `skills.${field}`,
    message,
    hint,
    ...lineOf(lineOfPath(text, ['skills', field])),
  })
  const unknown = Object.keys(section)
    .filter(key => !policyKeys.includes(key))
    .map(key => {
      const [close] = closestNames(key, policyKeys, 1)
      return warning(
        'unknown-policy-key',
        key,
        `The key "${key}" is not a key of a policy, and is ignored.`,
        close === undefined ? `A policy can have ${policyKeys.join(', ')}.` : `Did you mean "${close}"?`,
      )
    })
  const lists = [
    ['disabledSources', section.disabledSources ?? []],
    ['allowedSources', section.allowedSources ?? []],
  ] as const
  const sources = lists.flatMap(([key, names]) =>
    names.flatMap(name => {
      if (fixedSources.includes(name)) {
        return key === 'allowedSources'
          ? []
          : [
              warning(
                'fixed-source',
                key,
                `The source "${name}" cannot be switched off.`,
                'Remove the source from the list. To switch off single skills, name them in "disabledSkills".',
              ),
            ]
      }
      // Distributions have sources of their own, so only a name that looks misspelt is reported.
      const [close] = sourceNames.includes(name) ? [] : closestNames(name, sourceNames, 1)
      return close === undefined
        ? []
        : [
            warning(
              'unknown-policy-source',
              key,
              `The policy names the source "${name}", which is not one of the usual sources.`,
              `Did you mean "${close}"?`,
            ),
          ]
    }),
  )
  return [...unknown, ...sources]
}
