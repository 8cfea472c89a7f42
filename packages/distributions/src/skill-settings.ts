import { isDeepStrictEqual } from 'node:util'
import {
  defineProvider,
  nameKey,
  type Command,
  type Diagnostic,
  type Gate,
  type GateRules,
  type Host,
  type Note,
  type Override,
  type Provider,
  type Source,
} from '@skills/core'
import { readJsonFile } from '@skills/files'
import { isJsonObject, plainFolder } from '@skills/files/internal'
import { managedDirs, policyName } from '@skills/source-managed'
import { userSettings } from './find-settings.js'
import { projectSettings } from './project-settings.js'
import { listingKeys, wrongListingKeys } from './listing-settings.js'

/** Words of `skillOverrides`, each narrower than the one before it. */
const words: Readonly<Record<string, Override>> = {
  on: 'on',
  'name-only': 'name-only',
  'user-invocable-only': 'user-only',
  off: 'off',
}
const narrowing: readonly Override[] = Object.values(words)

/** Content of one settings file about skills. */
interface Said {
  readonly path: string
  /** Overrides by name. */
  readonly overrides: ReadonlyMap<string, Override>
  readonly noShell: boolean
}

type Whose = 'managed' | 'user' | 'project'

/**
 * Makes the gate for Claude Code's settings files: `skillOverrides`, and `disableSkillShellExecution`. No file can make
 * a skill more visible than another file does, because anyone may have written the files of a project. See
 * docs/reference/distributions.md, "Settings of Claude Code".
 * @param dirs folders of the machine's administrator; default: the platform's own
 */
export function skillSettings(dirs: readonly string[] | undefined): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'settings',
    setup({ host, report }): Gate & Pick<Source, 'explain'> {
      const settings = new SkillSettings(host, dirs, report)
      return {
        rules: () => settings.rules(),
        forbids: (_action, command) => settings.forbidsShell(command),
        explain: (name, command) => settings.explain(name, command),
      }
    },
  })
}

class SkillSettings {
  readonly #places: Readonly<Record<Whose, readonly string[]>>
  readonly #report: (diagnostic: Diagnostic) => void
  #files: Readonly<Record<Whose, readonly Said[]>> = { managed: [], user: [], project: [] }
  #rules: GateRules = {}
  #problems: readonly Diagnostic[] = []

  constructor(host: Host, dirs: readonly string[] | undefined, report: (diagnostic: Diagnostic) => void) {
    const user = userSettings(host)
    this.#report = report
    this.#places = {
      managed: (dirs ?? managedDirs(host.platform)).map(dir => `${plainFolder(dir)}/${policyName}`),
      user: user === undefined ? [] : [user],
      // The first file that names a skill wins, as in the program.
      project: projectSettings(host).map(({ path }) => path),
    }
  }

  /** Returns the rules of a load: the same object as before if the files have not changed. */
  rules(): GateRules {
    const problems: Diagnostic[] = []
    const read = (paths: readonly string[]): readonly Said[] => paths.flatMap(path => readSaid(path, problems) ?? [])
    const { managed, user, project } = this.#places
    const files = { managed: read(managed), user: read(user), project: read(project) }
    for (const problem of problems)
      if (!this.#problems.some(known => isDeepStrictEqual(known, problem))) this.#report(problem)
    this.#problems = problems
    if (!isDeepStrictEqual(files, this.#files)) {
      this.#files = files
      // Not as an override, because the host's own overrides would win over an administrator's.
      const barredBy = (word: Override, command: Command): string | undefined =>
        this.#find(command.name, command, ['managed']).find(said => said.word === word)?.sentence
      this.#rules = {
        command: command => barredBy('off', command),
        dormant: command => barredBy('user-only', command),
        override: (name, command) => this.#narrowest(name, command)?.word,
      }
    }
    return this.#rules
  }

  /** Returns the reason why no embedded command of a skill runs, or undefined. */
  forbidsShell({ source }: Command): string | undefined {
    if (source === 'bundled' || source === 'managed') return undefined
    const file = Object.values(this.#files)
      .flat()
      .find(({ noShell }) => noShell)
    return file && `"disableSkillShellExecution" in ${file.path} switches off the commands that skills embed.`
  }

  explain(name: string, command: Command | undefined): readonly Note[] {
    const said = command && this.#narrowest(name, command)
    return said === undefined ? [] : [{ text: said.sentence, path: said.path }]
  }

  #narrowest(name: string, command: Command) {
    return this.#find(name, command, ['managed', 'user', 'project']).toSorted(
      (one, other) => narrowing.indexOf(other.word) - narrowing.indexOf(one.word),
    )[0]
  }

  /** Returns the settings for a skill in each of these places. Skills of plugins are switched with their plugin. */
  #find(name: string, command: Command, whose: readonly Whose[]) {
    if (command.type !== 'prompt' || command.source === 'plugin') return []
    return whose.flatMap(one => {
      for (const { path, overrides } of this.#files[one]) {
        const word = overrides.get(nameKey(name)) ?? overrides.get(nameKey(command.name))
        if (word !== undefined)
          return [{ word, path, sentence: `"skillOverrides" in ${path} says "${wordFor(word)}" of "${name}".` }]
      }
      return []
    })
  }
}

function wordFor(override: Override): string {
  return Object.keys(words).find(word => words[word] === override) ?? override
}

function readSaid(path: string, problems: Diagnostic[]): Said | undefined {
  const file = readJsonFile(path, { code: 'invalid-settings', what: `The settings file ${path}` })
  if (file === undefined) return undefined
  if ('code' in file) {
    problems.push({ ...file, hint: 'Correct this file. Until then its "skillOverrides" are ignored.' })
    return undefined
  }
  const { data, lines } = file
  const given = data['skillOverrides'] ?? {}
  const problem = (message: string, hint: string, keys: readonly string[]): void => {
    const line = lines.of(keys)
    problems.push({
      severity: 'warning',
      type: 'validation',
      code: 'invalid-settings',
      path,
      field: keys.join('.'),
      message,
      hint,
      ...(line !== undefined && { line }),
    })
  }
  const overrides = new Map<string, Override>()
  if (!isJsonObject(given))
    problem(`"skillOverrides" in ${path} is not an object.`, 'Write it as { "name": "off" }.', ['skillOverrides'])
  else
    for (const [name, word] of Object.entries(given)) {
      const known = typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined
      if (known !== undefined) overrides.set(nameKey(name), known)
      else
        problem(
          `"skillOverrides" in ${path} says ${JSON.stringify(word)} for "${name}", which is not a known word.`,
          `It can be ${Object.keys(words).join(', ')}.`,
          ['skillOverrides', name],
        )
    }
  for (const key of wrongListingKeys(data))
    problem(`"${key}" in ${path} is ${JSON.stringify(data[key])}.`, `It can be ${listingKeys[key].says}.`, [key])
  return { path, overrides, noShell: data['disableSkillShellExecution'] === true }
}
