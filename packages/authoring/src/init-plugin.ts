import * as s from '@skills/core/schema'
import { basename, dirname } from 'node:path'
import { readdirSync } from 'node:fs'
import { SkillsError, type Diagnostic } from '@skills/core'
import {
  ioProblem,
  isInside,
  lstatOf,
  plainFolder,
  pluginSchema,
  realPathOf,
  standardManifest,
  standardServers,
  systemCode,
} from '@skills/files/internal'
import { addFiles } from './add-files.js'
import { newPackageText, type PackageFields } from './new-package.js'
import { checkPackageName, unscoped } from './package-name.js'
import {
  placeholders,
  hasManifest,
  readPackageFile,
  type PackageFile,
  replaceFile,
  walkForSkills,
} from '@skills/inspect/internal'
import { readmeText } from './plugin-readme.js'
import { checkedDescription, firstSkill, skillText } from './scaffold.js'
import { writeScaffold } from './write-scaffold.js'

const initPluginOptions = s.options('initPlugin()', {
  /** Folder of the plugin, absolute; made if it is missing. */
  folder: s.text().required(),
  /** Name of the npm package. Default: the one in the package file, otherwise the folder's. */
  name: s.text(),
  /** True if it also becomes a plugin of the Agent Plugins standard, with a root `plugin.json`. Default: false. */
  standard: s.flag().default(false),
  /** Purpose of the plugin, at most 1,024 characters. Default: a sentence that asks for one. */
  description: s.text(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface InitPluginOptions extends s.OptionsOf<typeof initPluginOptions> {}

export interface InitializedPlugin {
  readonly folder: string
  /** Name of the npm package. */
  readonly name: string
  /** Files that were written, absolute. */
  readonly files: readonly string[]
  /** Keys that were added to an existing package file. */
  readonly added: readonly string[]
}

/**
 * Turns a folder, new or not, into the npm package of a plugin: a package file with `skillsPaths`, a first skill, and a
 * README. Overwrites no file; adds what is missing to an existing package file. If it cannot be done, returns a
 * diagnostic and leaves nothing behind. See docs/reference/plugins.md, "Publishing a plugin".
 * @throws SkillsError `E_INVALID_OPTION` for a name that npm or a host would not accept, with the nearest valid one;
 *   AbortError
 */
export async function initPlugin(
  given: InitPluginOptions,
): Promise<InitializedPlugin | { readonly problem: Diagnostic }> {
  const { folder: at, name, description, standard, signal } = initPluginOptions.read(given)
  const folder = plainFolder(at)
  if (name !== undefined) refuseName(name)
  const about = checkedDescription(description)
  const stats = lstatOf(folder)
  if (stats === undefined) {
    const fields = fieldsOf(name ?? basename(folder), about, [...(standard ? [standardManifest] : []), 'skills'])
    refuseName(fields.name, name === undefined)
    const written = await writeScaffold(
      {
        folder,
        files: await newFiles(fields, { hasSkills: false, hasReadme: false, hasPackage: false, isStandard: standard }),
      },
      { signal, cwd: dirname(folder) },
    )
    return 'problem' in written ? written : { folder, name: fields.name, files: written.files, added: [] }
  }
  const there = lookAt(folder)
  if ('severity' in there) return { problem: there }
  const file = await readPackageFile(folder, there.real, signal)
  if (file !== undefined && 'severity' in file) return { problem: file }
  return addTo({ folder, name, about, standard, there, file, signal })
}

interface Existing {
  readonly real: string
  readonly names: readonly string[]
}

interface Adding {
  readonly folder: string
  readonly name: string | undefined
  readonly about: string | undefined
  readonly standard: boolean
  readonly there: Existing
  readonly file: PackageFile | undefined
  readonly signal: AbortSignal | undefined
}

async function addTo({
  folder,
  name,
  about,
  standard,
  there: { names },
  file,
  signal,
}: Adding): Promise<InitializedPlugin | { readonly problem: Diagnostic }> {
  const said = file?.data['name']
  const ownName = typeof said === 'string' && said !== '' ? said : undefined
  const hasOwnSkill = names.includes('SKILL.md')
  const published = hasOwnSkill
    ? []
    : [
        ...(standard ? [standardManifest] : []),
        'skills',
        ...['commands', '.claude-plugin', standardServers].filter(one => names.includes(one)),
      ]
  const fields = fieldsOf(ownName ?? name ?? basename(folder), about, published)
  if (ownName === undefined) refuseName(fields.name, name === undefined)
  const walked = names.includes('skills')
    ? await walkForSkills(`${folder}/skills`, signal)
    : { files: [], diagnostics: [] }
  const [problem] = walked.diagnostics
  if (problem !== undefined) return { problem }
  const hasSkills = hasOwnSkill || walked.files.length > 0 || (file !== undefined && hasManifest(file.data))
  const files = await newFiles(fields, {
    hasSkills,
    hasReadme: names.some(one => /^readme(?:\.|$)/i.test(one)),
    hasPackage: file !== undefined,
    isStandard: standard && !names.includes(standardManifest),
    version: file?.data['version'],
  })
  // The library that edits JSON is loaded only if there is a package file; most plugins begin without one.
  const edit = file === undefined ? undefined : (await import('./package-edit.js')).addPackageFields(file, fields)
  const written = await addFiles(folder, files, { signal })
  if ('problem' in written) return written
  if (file !== undefined && edit !== undefined && edit.changed.length > 0) {
    const refusal = replaceFile(file.identity, Buffer.from(edit.text), { what: 'change', code: 'not-written' })
    if (refusal !== undefined) {
      written.takeBack()
      return { problem: { ...refusal, path: file.path } }
    }
  }
  return { folder, name: fields.name, files: written.files, added: edit?.changed ?? [] }
}

/** Returns the relevant content of an existing folder, or a diagnostic if nothing must be written into it. */
function lookAt(folder: string): Existing | Diagnostic {
  const refuse = (code: string, path: string, message: string, hint: string): Diagnostic => ({
    severity: 'error',
    type: 'io',
    code,
    path,
    message,
    hint,
  })
  try {
    const real = realPathOf(folder)
    if (real === undefined)
      return refuse('already-there', folder, `${folder} is a link to nothing.`, 'Remove the link first.')
    const names = readdirSync(real)
    if (names.includes('skills')) {
      const skills = realPathOf(`${folder}/skills`)
      // Files written below the link would land there, and npm does not publish links.
      if (skills === undefined || !isInside(skills, real))
        return refuse(
          'link-escapes',
          `${folder}/skills`,
          `${folder}/skills is a link that leads out of the plugin.`,
          'Move the skills into the plugin: a package cannot contain files from outside its folder.',
        )
      if (lstatOf(skills)?.isDirectory() !== true)
        return refuse(
          'already-there',
          `${folder}/skills`,
          `${folder}/skills is not a folder.`,
          'Rename that file: the skills go into a folder of that name.',
        )
    }
    return { real, names }
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR')
      return refuse(
        'already-there',
        folder,
        `There is a file at ${folder}, and files are not overwritten.`,
        'Choose another name, or remove the file first.',
      )
    return ioProblem('The folder', folder, error)
  }
}

function fieldsOf(name: string, about: string | undefined, published: readonly string[]): PackageFields {
  return {
    name,
    version: '0.1.0',
    description: about ?? `${placeholders.description}${unscoped(name)} is for.`,
    published,
  }
}

interface Has {
  readonly hasSkills: boolean
  readonly hasReadme: boolean
  readonly hasPackage: boolean
  readonly isStandard: boolean
  /** Version in the package file, which the manifest gets too. */
  readonly version?: unknown
}

async function newFiles(
  fields: PackageFields,
  { hasSkills, hasReadme, hasPackage, isStandard, version }: Has,
): Promise<readonly { readonly path: string; readonly text: string }[]> {
  return [
    ...(hasPackage ? [] : [{ path: 'package.json', text: newPackageText(fields) }]),
    ...(isStandard ? [{ path: standardManifest, text: standardText(fields, version) }] : []),
    ...(hasSkills ? [] : [{ path: `skills/${firstSkill}/SKILL.md`, text: await skillText(firstSkill, undefined) }]),
    ...(hasReadme ? [] : [{ path: 'README.md', text: readmeText(fields) }]),
  ]
}

/** Returns the text of a manifest of the Agent Plugins standard. */
function standardText({ name, version, description }: PackageFields, given: unknown): string {
  const data = {
    $schema: pluginSchema,
    name: unscoped(name),
    version: typeof given === 'string' ? given : version,
    description,
  }
  return `${JSON.stringify(data, undefined, 2)}\n`
}

function refuseName(name: string, isOfFolder = false): void {
  const problem = checkPackageName(name)
  if (problem === undefined) return
  const { nearest } = problem
  const meant = nearest === undefined ? 'Give a name such as acme-tools or @acme/tools.' : `Did you mean ${nearest}?`
  // On the command line, a given name would make a new folder in this one.
  const hint = isOfFolder
    ? `The name comes from the folder. Rename the folder${nearest === undefined ? '' : ` to ${nearest}`}, or write another "name" into a package.json in it.`
    : meant
  throw new SkillsError('E_INVALID_OPTION', problem.message, { hint })
}
