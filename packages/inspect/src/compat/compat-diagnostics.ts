import * as s from '@skills/core/schema'
import { readWholeFile } from '@skills/files'
import { locateKey } from '@skills/skill-md/internal'
import { isLost } from './summary.js'
import type { Diagnostic } from '@skills/core'
import type { AgentCompat, Compat, FieldUse, SkillCompat } from './compat-types.js'

const compatDiagnosticsOptions = s.options('compatDiagnostics()', {
  /** Names of agents that must have every skill: a loss there is an error instead of a warning. */
  wanted: s.list(s.text()).default([]),
})

export interface CompatDiagnosticsOptions extends s.OptionsOf<typeof compatDiagnosticsOptions> {}

/**
 * Returns diagnostics for each file, as lint would: an agent that does not find the skill, cuts it, or reads a field
 * differently. Each has the line of the field if there is one. Throws `E_INVALID_OPTION`.
 */
export async function compatDiagnostics(
  compat: Pick<Compat, 'skills'>,
  given?: CompatDiagnosticsOptions,
): Promise<readonly Diagnostic[]> {
  const { wanted } = compatDiagnosticsOptions.read(given)
  const { skills } = compat
  const found: Diagnostic[] = []
  for (const skill of skills) {
    const all = skill.agents.flatMap(one => said(skill, one, wanted.includes(one.agent)))
    const text = all.some(({ field }) => field !== undefined) ? await textOf(skill.path) : undefined
    found.push(...all.map(one => placed(one, text)))
  }
  return found
}

function said({ name, path }: SkillCompat, one: AgentCompat, isWanted: boolean): readonly Diagnostic[] {
  const { agent, change, fields } = one
  const base = { type: 'validation', path, name } as const
  const [code, problem] = standingOf(one)
  const lost: readonly Diagnostic[] =
    code === undefined
      ? []
      : [
          {
            ...base,
            severity: code === 'agent-loses-skill' && isWanted ? 'error' : 'warning',
            code,
            message: `${agent}: ${problem}`,
            ...(change && { hint: change.text }),
          },
        ]
  return [
    ...lost,
    ...fields
      .filter(isWorthTelling)
      .map(({ field, use, what = '' }): Diagnostic => ({
        ...base,
        severity: use === 'other' ? 'warning' : 'info',
        code: use === 'other' ? 'agent-reads-otherwise' : 'agent-ignores-field',
        field,
        message: `${agent} ${use === 'other' ? `reads \`${field}\` differently` : `ignores \`${field}\``}: ${what}.`,
      })),
  ]
}

function isWorthTelling({ use, what }: FieldUse): boolean {
  return use === 'other' || (use === 'ignored' && what !== undefined)
}

function standingOf(one: AgentCompat): readonly [code: string, message: string] | readonly [undefined] {
  const { found, told, because = '' } = one
  if (found !== 'here') return ['agent-loses-skill', `the skill is not found. ${because}`]
  if (isLost(one)) return ['agent-loses-skill', `the model is not told of the skill. ${because}`]
  if (told === 'cut') return ['agent-cuts-skill', 'the model gets only a part of its description.']
  return told === 'name' ? ['agent-cuts-skill', 'the model gets only its name.'] : [undefined]
}

/** Returns the text of a file, or undefined if it is gone. */
async function textOf(path: string): Promise<string | undefined> {
  const file = await readWholeFile(path)
  return file !== undefined && 'bytes' in file ? file.bytes.toString('utf8') : undefined
}

function placed(one: Diagnostic, text: string | undefined): Diagnostic {
  const place = one.field === undefined || text === undefined ? undefined : locateKey(text, [one.field])
  return place === undefined ? one : { ...one, line: place.line, column: place.column }
}
