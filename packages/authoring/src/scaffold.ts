import * as s from '@skills/core/schema'
import { fieldTable, type Field } from '@skills/core/fields'
import { checkStandard, describeField, writeDocument } from '@skills/skill-md'
import type { FieldOptions } from '@skills/skill-md/internal'
import { plainFolder } from '@skills/files/internal'
import { SkillsError } from '@skills/core'
import { checkPlace } from '@skills/inspect/internal'
import { checkSkillName } from './skill-name.js'

const scaffoldOptions = s.options('scaffoldSkill()', {
  /** By the rules of the open Agent Skills standard; also the name of the folder. */
  name: s.text().required(),
  /** The folder that gets the new one, absolute. */
  parent: s.text().required(),
  /** What it does and when to use it, at most 1,024 characters. Default: a sentence that asks for one. */
  description: s.text(),
  /** Given, each field is written as a comment, those of a host too: what it does, and its line. Default: none is. */
  fields: s.typed<Pick<FieldOptions, 'own' | 'words'>>('an object'),
  /** Write a first set of cases beside the skill. */
  evals: s.flag().default(false),
})

export interface ScaffoldOptions extends s.OptionsOf<typeof scaffoldOptions> {}

/** What is to be written, before anything is. */
export interface Scaffold {
  /** The new folder, absolute, forward slashes. */
  readonly folder: string
  /** Paths are relative to the folder, forward slashes. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** The skill that a new plugin begins with. */
export const firstSkill = 'first-skill'

/**
 * Plans a new skill that has nothing for lint to find, the rules of the open standard included. Nothing is read or
 * written.
 * @throws SkillsError `E_INVALID_OPTION` for a name or a description that the standard does not accept, with the
 * nearest name.
 *   See docs/reference/new-skills.md.
 */
export async function scaffoldSkill(given: ScaffoldOptions): Promise<Scaffold> {
  const { name, parent, description, fields, evals } = scaffoldOptions.read(given)
  refuseName(name)
  const folder = plainFolder(`${parent}/${name}`)
  const [misplaced] = checkPlace(`${folder}/SKILL.md`)
  if (misplaced !== undefined) {
    throw new SkillsError('E_INVALID_OPTION', `A skill at ${folder} would not be found. ${misplaced.message}`, {
      hint: misplaced.hint,
    })
  }
  const text = await skillText(name, description, fields)
  return { folder, files: [{ path: 'SKILL.md', text }, ...(evals ? [firstEvals(name, '')] : [])] }
}

/**
 * Plans a new plugin: a manifest, and a first skill to write.
 * @throws SkillsError `E_INVALID_OPTION` for a name that is not letters a to z, digits and single hyphens, or a
 * description
 *   that the standard does not accept. See docs/reference/new-skills.md.
 */
export async function scaffoldPlugin(given: ScaffoldOptions): Promise<Scaffold> {
  const { name, parent, description, fields, evals } = scaffoldOptions.read(given, 'scaffoldPlugin()')
  refuseName(name)
  // Manifests are stricter than the standard's names.
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new SkillsError(
      'E_INVALID_OPTION',
      `\`${name}\` has letters other than a to z, which the name of a plugin may not.`,
      { hint: 'Write it in those, with digits and single hyphens.' },
    )
  }
  const about = checkedDescription(description) ?? `Describe here what ${name} is for.`
  const manifest = { name, version: '0.1.0', description: about }
  return {
    folder: plainFolder(`${parent}/${name}`),
    files: [
      { path: '.claude-plugin/plugin.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
      { path: `skills/${firstSkill}/SKILL.md`, text: await skillText(firstSkill, undefined, fields) },
      ...(evals ? [firstEvals(firstSkill, `skills/${firstSkill}/`)] : []),
    ],
  }
}

/** Cases to begin with. See docs/reference/evals.md, "Cases". */
function firstEvals(name: string, folder: string): Scaffold['files'][number] {
  const queries = [
    { query: `What a person types who needs ${name}, without its name`, should_trigger: true },
    { query: 'The same in other words', should_trigger: true },
    { query: 'Something near it that it is not for', should_trigger: false },
  ]
  const evals = [
    {
      id: 'first',
      prompt: `A whole task for ${name}, whose result goes into result.md.`,
      files: [{ path: 'input.txt', text: 'What the task is about.\n' }],
      assertions: [{ file: 'result.md' }, { judge: 'What a person sees in a good result.' }],
    },
  ]
  const text = `${JSON.stringify({ skill_name: name, queries, evals }, undefined, 2)}\n`
  return { path: `${folder}evals/evals.json`, text }
}

function refuseName(name: string): void {
  const problem = checkSkillName(name)
  if (problem === undefined) return
  const hint =
    problem.nearest === undefined
      ? 'Use letters, digits and hyphens, such as release-notes.'
      : `Did you mean ${problem.nearest}?`
  throw new SkillsError('E_INVALID_OPTION', problem.message, { hint })
}

/** As it is read back: without white space around it. */
export function checkedDescription(description: string | undefined): string | undefined {
  if (description === undefined) return undefined
  const text = description.trim()
  const [problem] = checkStandard({ description: text }, { folderName: '', bodyLines: 0 }).filter(
    ({ field }) => field === 'description',
  )
  if (problem !== undefined) throw new SkillsError('E_INVALID_OPTION', problem.message, { hint: problem.hint })
  return text
}

export async function skillText(
  name: string,
  description: string | undefined,
  fields?: Pick<FieldOptions, 'own' | 'words'>,
): Promise<string> {
  const about =
    checkedDescription(description) ?? `Describe here what ${name} does. Use when the user asks for it by name.`
  const data = { name, description: about }
  const text = await writeDocument(data, bodyOf(name))
  const own = [...(fields?.words?.fields ?? []), ...(fields?.own ?? [])]
  const all: readonly Field[] = fields ? [...fieldTable, ...own] : []
  const comments = all.flatMap(field => (Object.hasOwn(data, field.name) ? [] : [commentOf(field)]))
  // Texts of several lines are indented there, so that the first such line ends the block.
  return text.replace('\n---\n', end => `\n${comments.join('')}${end.slice(1)}`)
}

/** A field as a comment; without its first mark the second line sets the field to what it is anyway. */
function commentOf(field: Field): string {
  const { name, default: usual } = field
  return `# ${describeField(field)}\n#${name}:${usual === 'none' || usual.includes(' ') ? '' : ` ${usual}`}\n`
}

function bodyOf(name: string): string {
  return `
# ${name}

Write here what the model is to do, step by step, as one tells an expert who does not know this project.

1. Name what to look at first: the files, the commands and what their output means.
2. Say what a good result is, and show a short example of one.
3. Say what to do when a step fails, and when to ask the user.

Put what is seldom needed into files beside this one, and name them here by their relative paths.
`
}
