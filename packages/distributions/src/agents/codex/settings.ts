import path from 'node:path'
import { defineProvider, messageOf, type Diagnostic, type GateRules, type Host, type Plugin } from '@skills/core'
import { readWholeFileSync } from '@skills/files'
import { isJsonObject, realPathOf, slashes } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { unused } from '../../program-settings.js'

/** Entry of `skills.config`: it switches the skills of a name, or the skill of a file, on or off. */
interface Switch {
  readonly by: 'name' | 'path'
  /** Name, or real path of a file. */
  readonly of: string
  readonly isOn: boolean
}

/** Content of the user's `config.toml` about skills. */
interface Said {
  readonly file: string
  /** Later ones win. */
  readonly switches: readonly Switch[]
  /** True if `skills.include_instructions` is false: a model is told of no skill. */
  readonly isSilent: boolean
  readonly problems: readonly Diagnostic[]
  /** Sentence that says why Codex does not start with this file. */
  readonly broken?: string | undefined
}

/** Returns the absolute path of the user's settings: those of a project switch no skills in Codex. */
function settingsFile({ env, home }: Host): string | undefined {
  const folder = env['CODEX_HOME'] || (home === '' ? undefined : `${home}/.codex`)
  return folder === undefined ? undefined : `${slashes(folder)}/config.toml`
}

const none: GateRules = {}

/** Returns settings with which Codex does not start. */
function brokenBy(file: string, reason: string, line?: number): Said {
  return {
    file,
    switches: [],
    isSilent: false,
    problems: [unused({ path: file, line }, `The settings file ${reason}.`, 'Correct the file.')],
    broken: `Codex does not start until ${file} is corrected: it ${reason}.`,
  }
}

/**
 * Reads the settings. `path` has to be the file of the skill; it is relative to the folder of the settings, and `~` is
 * the home folder. An entry with both a name and a path, or with neither, has no effect. As in Codex, a value of another
 * type makes the whole file invalid, also beside unknown keys.
 */
async function read(file: string, text: string, home: string): Promise<Said> {
  const broken = (reason: string, line?: number): Said => brokenBy(file, reason, line)
  const { parse, TomlError } = await import('smol-toml')
  let skills: unknown
  try {
    ;({ skills = {} } = parse(text.replace(/^\ufeff/, '')))
  } catch (error) {
    const [message = ''] = messageOf(error)
      .replace(/^Invalid TOML document: /, '')
      .split('\n')
    return broken(`is not TOML: ${message}`, error instanceof TomlError ? error.line : undefined)
  }
  if (!isJsonObject(skills)) return broken('has a value for `skills` that is no table')
  const { config = [], include_instructions: tells = true } = skills
  if (!Array.isArray(config)) return broken('has a value for `skills.config` that is no list')
  if (typeof tells !== 'boolean')
    return broken('has a value for `skills.include_instructions` that is neither true nor false')
  const switches: Switch[] = []
  const problems: Diagnostic[] = []
  for (const [at, entry] of config.entries()) {
    const label = `\`skills.config[${at}]\``
    if (!isJsonObject(entry)) return broken(`has ${label}, which is no table`)
    const { name, path: given, enabled } = entry
    if (typeof enabled !== 'boolean') return broken(`has ${label} without \`enabled = false\` or \`enabled = true\``)
    if (![name, given].every(one => one === undefined || typeof one === 'string'))
      return broken(`has ${label} with a name or a path that is not text`)
    const isNamed = typeof name === 'string'
    if (isNamed === (typeof given === 'string') || (isNamed && name.trim() === ''))
      problems.push(unused({ path: file }, `${label} must have either a \`name\` or a \`path\`.`, 'Write one of them.'))
    else if (isNamed) switches.push({ by: 'name', of: name.trim(), isOn: enabled })
    else {
      const named = path.resolve(path.dirname(file), String(given).replace(/^~(?=\/|$)/, home))
      switches.push({ by: 'path', of: realPathOf(named) ?? slashes(named), isOn: enabled })
    }
  }
  return { file, switches, isSilent: !tells, problems }
}

/** Returns the rules that settings make. */
function rulesOf({ broken, isSilent, switches, file }: Said): GateRules {
  // Codex lists no skill if it cannot read its settings.
  if (broken !== undefined) return { command: () => broken }
  const isOfPaths = switches.some(({ by }) => by === 'path')
  return {
    ...(isSilent && { dormant: () => `\`skills.include_instructions\` is false in ${file}.` }),
    // Typing its name does not bring in a skill that is switched off.
    command(command) {
      const { name } = command
      const at = isOfPaths && command.type === 'prompt' && command.filePath !== undefined ? command.filePath : undefined
      const real = at === undefined ? undefined : realPathOf(at)
      const last = switches.findLast(({ by, of }) => of === (by === 'name' ? name : real))
      return last?.isOn === false ? `\`skills.config\` in ${file} switches it off.` : undefined
    },
  }
}

/**
 * Leaves out the skills that `[[skills.config]]` of the user's `config.toml` switches off by name or by path, and hides
 * all skills from models if `skills.include_instructions` is false. See docs/reference/distributions.md, "Settings of
 * other programs".
 */
export function codexSettings(): readonly Plugin[] {
  let before: { readonly text: string; readonly said: Promise<Said>; readonly rules: Promise<GateRules> } | undefined
  const current = (host: Host) => {
    const file = settingsFile(host)
    const found = file === undefined ? undefined : readWholeFileSync(file)
    if (file === undefined || found === undefined) return (before = undefined)
    const text = 'problem' in found ? found.problem.message : Buffer.from(found.bytes).toString('utf8')
    // The same object as before means that nothing changed.
    if (before?.text !== text) {
      const said = 'problem' in found ? Promise.resolve(brokenBy(file, 'cannot be read')) : read(file, text, host.home)
      before = { text, said, rules: said.then(rulesOf) }
    }
    return before
  }
  return [
    defineProvider({
      kind: 'gate',
      id: 'settings',
      setup: ({ host }) => ({ rules: async () => (await current(host)?.rules) ?? none }),
    }),
    // Reports problems of the file.
    fileSource({
      id: 'settings',
      source: 'user',
      roots: async host => ({ roots: [], diagnostics: (await current(host)?.said)?.problems ?? [] }),
    }),
  ]
}
