import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadParser, readFields } from '@skills/skill-md'

/** Folder with the sources of the skills, each in a folder like any other skill. */
export const skillsFolder = fileURLToPath(new URL('../skills', import.meta.url))

export interface WrittenSkill {
  readonly name: string
  /** Absolute path of its SKILL.md. */
  readonly path: string
  readonly body: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Texts by path relative to its folder, without its SKILL.md. */
  readonly files: Readonly<Record<string, string>>
}

/** Reads the skills, sorted by name. */
export async function writtenSkills(): Promise<readonly WrittenSkill[]> {
  const parser = await loadParser()
  return readdirSync(skillsFolder)
    .sort()
    .map(name => {
      const folder = `${skillsFolder}/${name}`
      const path = `${folder}/SKILL.md`
      const bytes = readFileSync(path)
      const parsed = parser.parse(bytes, { whole: true, checkBody: true })
      if (!('ok' in parsed) || !parsed.ok) throw new Error(`${path} cannot be read.`)
      const { name: written, metadata, ...fields } = readFields(parsed.data).fields
      if (written !== name || (metadata !== undefined && Object.keys(metadata).length > 0))
        throw new Error(`${path} has another name than its folder, or fields that are not embedded.`)
      const below = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1))
        .filter(file => file !== 'SKILL.md')
        .sort()
      return {
        name,
        path,
        fields,
        body: bytes.toString('utf8', parsed.bodyStart),
        files: Object.fromEntries(below.map(file => [file, readFileSync(`${folder}/${file}`, 'utf8')])),
      }
    })
}

/**
 * Returns the module that holds the skills as data. Listing them then reads no file and parses nothing, and a program
 * that is bundled into one file still has them.
 */
export function embeddedModule(skills: readonly WrittenSkill[]): string {
  const entries = skills.map(({ name, fields, files, body }) =>
    [
      '  {',
      `    name: ${textOf(name)},`,
      ...Object.entries(fields).map(([key, value]) => `    ${key}: ${valueOf(value)},`),
      '    files: {',
      ...Object.entries(files).map(([path, text]) => `      ${textOf(path)}: ${textOf(text)},`),
      '    },',
      `    body: ${textOf(body)},`,
      '  },',
    ].join('\n'),
  )
  return [
    "import type { BundledSkill } from '@skills/source-bundled'",
    '',
    '// Made of the folder skills by bundled-skills.test.ts: change the files there, and run that test with --update.',
    '',
    'export const embeddedSkills: readonly BundledSkill[] = [',
    ...entries,
    ']',
    '',
  ].join('\n')
}

function valueOf(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map(valueOf).join(', ')}]`
    : typeof value === 'string'
      ? textOf(value)
      : JSON.stringify(value)
}

/** Formats a text in single quotes, as the code style has it. */
function textOf(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`
}
