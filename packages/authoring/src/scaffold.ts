import * as s from '@skills/core/schema'
import { fieldTable, type Field } from '@skills/core/fields'
import { checkStandard, describeField, writeDocument } from '@skills/skill-md'
import type { FieldOptions } from '@skills/skill-md/internal'
import { plainFolder } from '@skills/files/internal'
import { SkillsError } from '@skills/core'
import { checkPlace, placeholders } from '@skills/inspect/internal'
import { checkSkillName } from './skill-name.js'

const scaffoldOptions = s.options('scaffoldSkill()', {
  /** Name by the rules of the open Agent Skills standard; also the name of the folder. */
  name: s.text().required(),
  /** Folder that gets the new one, absolute. */
  parent: s.text().required(),
  /**
   * Description: what the skill does and when to use it, at most 1,024 characters. Default: a sentence that asks for
   * one.
   */
  description: s.text(),
  /**
   * If given, each field is written as a comment, including those of a host: its effect, and its line. Default: no
   * comments.
   */
  fields: s.typed<Pick<FieldOptions, 'own' | 'words'>>('an object'),
  /** True if a first set of eval cases is written beside the skill. Default: false. */
  evals: s.flag().default(false),
})

export interface ScaffoldOptions extends s.OptionsOf<typeof scaffoldOptions> {}

/** Files to be written. */
export interface Scaffold {
  /** New folder, absolute, with forward slashes. */
  readonly folder: string
  /** Paths are relative to the folder, with forward slashes. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** Name of the skill that a new plugin begins with. */
export const firstSkill = 'first-skill'

/**
 * Plans a new skill in which lint finds nothing but the texts that the author is to write, also by the rules of the
 * open standard. Reads and writes nothing.
 * See docs/reference/new-skills.md.
 * @throws SkillsError `E_INVALID_OPTION` for a name or a description that the standard does not accept, with the
 *   nearest valid name
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
 * Plans a new plugin with a manifest and a first skill. See docs/reference/new-skills.md.
 * @throws SkillsError `E_INVALID_OPTION` for a name that is not letters a to z, digits and single hyphens, or a
 *   description that the standard does not accept
 */
export async function scaffoldPlugin(given: ScaffoldOptions): Promise<Scaffold> {
  const { name, parent, description, fields, evals } = scaffoldOptions.read(given, 'scaffoldPlugin()')
  refuseName(name)
  // Manifests are stricter about names than the standard.
  if (!/^[a-z0-9-]+$/.test(name)) {
    throw new SkillsError(
      'E_INVALID_OPTION',
      `\`${name}\` has letters other than a to z, and the name of a plugin may not have such letters.`,
      { hint: 'Use the letters a to z, digits and single hyphens.' },
    )
  }
  const about = checkedDescription(description) ?? `${placeholders.description}${name} is for.`
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

/** Returns a first file of eval cases. See docs/reference/evals.md, "Cases". */
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

/**
 * Returns a description without surrounding white space, in the form in which a reader gets it. Throws if the standard
 * does not accept it.
 */
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
    checkedDescription(description) ?? `${placeholders.description}${name} does. Use when the user asks for it by name.`
  const data = { name, description: about }
  const text = await writeDocument(data, bodyOf(name))
  const own = [...(fields?.words?.fields ?? []), ...(fields?.own ?? [])]
  const all: readonly Field[] = fields ? [...fieldTable, ...own] : []
  const comments = all.flatMap(field => (Object.hasOwn(data, field.name) ? [] : [commentOf(field)]))
  // Texts of several lines are indented there, so the first such line ends the block.
  return text.replace('\n---\n', end => `\n${comments.join('')}${end.slice(1)}`)
}

/** Returns a field as a comment. Removing the mark from its second line sets the field to its default. */
function commentOf(field: Field): string {
  const { name, default: usual } = field
  return `# ${describeField(field)}\n#${name}:${usual === 'none' || usual.includes(' ') ? '' : ` ${usual}`}\n`
}

function bodyOf(name: string): string {
  return `
# ${name}

${placeholders.body} as one tells an expert who does not know this project.

1. Name what to look at first: the files, the commands and what their output means.
2. Say what a good result is, and show a short example of one.
3. Say what to do when a step fails, and when to ask the user.

Put what is seldom needed into files beside this one, and name them here by their relative paths.
`
}
