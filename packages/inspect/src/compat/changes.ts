import { stageSkills, type AgentPlaces, type Candidate, type StageCall } from './on-stage.js'
import type { Change, CompatAgent } from './compat-types.js'
import type { SkillFacts } from './skill-file.js'

/** Name that every agent accepts for a skill's file. */
export const skillFile = 'SKILL.md'
/** Length of a description, in characters, that every agent accepts. */
const safeDescription = 1024

/** Skill that an agent finds in no place, with the facts about it that are known from other agents. */
export interface LostSkill extends Candidate {
  /** Description as another agent reads it; empty if none does. */
  readonly description: string
  readonly facts: Pick<SkillFacts, 'fields' | 'isRepaired'>
}

interface Attempt {
  readonly kind: Change['kind']
  /** Instruction, for use after "Write" or alone. */
  readonly text: (skill: LostSkill) => string
  /** Returns the fields that it sets, or undefined if it changes nothing. */
  readonly fields: (skill: LostSkill) => Readonly<Record<string, string>> | undefined
}

const nameOf = ({ folder }: LostSkill): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
const descriptionOf = ({ description, folder }: LostSkill): string =>
  [...(description === '' ? `What ${folder} does` : description.replace(/\s+/g, ' '))]
    .slice(0, safeDescription)
    .join('')

/** Returns true if no frontmatter could be read. */
const hasNone = ({ facts }: LostSkill): boolean => Object.keys(facts.fields).length === 0

/**
 * Attempts, smallest change first. All write strict YAML, because frontmatter that cannot be read cannot be changed
 * either.
 */
const attempts: readonly Attempt[] = [
  { kind: 'rename', text: () => '', fields: ({ file }) => (file === skillFile ? undefined : {}) },
  {
    kind: 'repair',
    text: () => 'Write its frontmatter as strict YAML: skills lint --fix does it.',
    fields: ({ facts }) => (facts.isRepaired ? {} : undefined),
  },
  {
    kind: 'name',
    text: skill => `Write name: ${nameOf(skill)} into its frontmatter.`,
    fields: skill => (skill.facts.fields['name'] === nameOf(skill) ? undefined : { name: nameOf(skill) }),
  },
  {
    kind: 'description',
    text: skill =>
      skill.description.length > safeDescription
        ? `Shorten its description to ${safeDescription} characters.`
        : hasNone(skill)
          ? 'Begin it with a line `---`, a line `description: …` and a line `---`.'
          : 'Add a description, on one line of its frontmatter.',
    fields: skill => ({ description: descriptionOf(skill) }),
  },
  {
    kind: 'repair',
    text: skill =>
      `${hasNone(skill) ? 'Begin it with frontmatter between two lines `---`' : 'Replace its frontmatter'}, with name: ${nameOf(skill)} and a description of at most ${safeDescription} characters in one line.`,
    fields: skill => ({ name: nameOf(skill), description: descriptionOf(skill) }),
  },
]

/**
 * Finds for each of these skills the smallest change with which the agent finds it, by running the agent's
 * distribution. A skill is missing in the result if the agent finds it with none of the changes.
 */
export async function changesFor(
  agent: CompatAgent,
  places: AgentPlaces,
  lost: readonly LostSkill[],
  call: StageCall,
): Promise<ReadonlyMap<string, Change>> {
  const changes = new Map<string, Change>()
  for (const { kind, text, fields } of attempts) {
    const changed = lost.flatMap((skill): readonly Candidate[] => {
      const set = changes.has(skill.path) ? undefined : fields(skill)
      if (set === undefined) return []
      const bytes = Buffer.from(written({ ...skill.facts.fields, ...set }))
      return [{ ...skill, file: skillFile, read: () => bytes }]
    })
    if (changed.length === 0) continue
    const staged = await stageSkills(agent, places, changed, call)
    for (const skill of lost)
      if (staged.get(skill.path)?.seen !== undefined)
        changes.set(skill.path, {
          kind,
          text: `${skill.file === skillFile ? '' : `Call its file ${skillFile}. `}${text(skill)}`.trim(),
        })
  }
  return changes
}

/** All scalars were read as text, so a number or a word of YAML must be written without quotes again. */
const word = /(?<!\\)"(true|false|null|-?\d+(?:\.\d+)?)"(?=[,}\]]|$)/g

/** Returns a file with these fields in strict YAML, of which JSON is a part. */
function written(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value).replace(word, '$1')}\n`,
  )
  return `---\n${lines.join('')}---\nWhat it says.\n`
}
