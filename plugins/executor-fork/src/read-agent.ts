import { parseFrontmatter, readFields, splitTools } from '@skills/skill-md'
import type { FrontmatterData } from '@skills/skill-md/internal'
import type { AgentDefinition } from './agent.js'

export type AgentReading =
  | {
      readonly agent: AgentDefinition
      /** Text of the whole file. */
      readonly text: string
    }
  | {
      /** Clause that says what is wrong. */
      readonly problem: string
      readonly line?: number | undefined
    }

/** Keys of agent files, each with the field of skills that it means. */
const spellings: readonly (readonly [key: string, field: string])[] = [
  ['name', 'name'],
  ['description', 'description'],
  ['tools', 'tools'],
  ['allowed-tools', 'allowed-tools'],
  ['disallowedTools', 'disallowed-tools'],
  ['disallowed-tools', 'disallowed-tools'],
  ['model', 'model'],
  ['effort', 'effort'],
]

/** Form of names, since they appear in sentences for people and models. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._:-]{0,63}$/u

/**
 * Reads the file of an agent: frontmatter with `name`, `description`, `tools`, `disallowedTools`, `model`, `skills` and
 * `effort`, and a body that is its system prompt. A file with an error defines no agent at all, because an agent from a
 * part of the file might have more tools than the author wants.
 * @param stem name of the file, which is the agent's name if the file sets none
 */
export async function readAgent(bytes: Uint8Array, stem: string): Promise<AgentReading> {
  const parsed = await parseFrontmatter(bytes)
  if (!parsed.ok) {
    const [first] = parsed.diagnostics
    return { problem: `cannot be read: ${first?.message ?? 'it does not parse.'}`, line: first?.line }
  }
  const { data } = parsed
  const { fields, problems } = readFields(fieldsOf(data), { limits: { description: 65_536 } })
  const wrong = problems.find(({ severity, code }) => severity === 'error' || code === 'unknown-choice')
  // A skill ignores an unknown word; for an agent it is an error.
  if (wrong !== undefined) return { problem: `is not valid: ${wrong.message.replace(/; it is not used\.$/, '.')}` }
  const skills = namesOf(data['skills'])
  if (skills === undefined)
    return { problem: 'is not valid: `skills` must be a list of names, or names separated by commas.' }
  const { name = stem, description, allowedTools, disallowedTools, model, effort } = fields
  if (!plainName.test(name))
    return {
      problem:
        'is not valid: `name` must be letters, digits, spaces, dots, colons, hyphens and underscores, 64 at most.',
    }
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const system = file.subarray(parsed.bodyStart).toString('utf8').trim()
  return {
    text: file.toString('utf8'),
    agent: {
      name,
      ...(description !== undefined && { description }),
      ...(system !== '' && { system }),
      // A star means all tools, like no list.
      ...(allowedTools !== undefined && !allowedTools.includes('*') && { tools: allowedTools }),
      ...(disallowedTools !== undefined && { disallowedTools }),
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(skills.length > 0 && { skills }),
    },
  }
}

function fieldsOf(data: FrontmatterData): FrontmatterData {
  const fields: FrontmatterData = {}
  for (const [key, field] of spellings) if (Object.hasOwn(data, key)) fields[field] = data[key]
  return fields
}

function namesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return splitTools(value)
  return Array.isArray(value) && value.every(one => typeof one === 'string') ? value : undefined
}
