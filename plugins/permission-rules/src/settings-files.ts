import { lstatSync, statSync } from 'node:fs'
import { abortError, type Clock, type Diagnostic } from '@skills/core'
import { isSettled, systemCode } from '@skills/fs'
import { behaviors, lineOfString, readSettings, type SettingsProblem } from './settings.js'
import { parseRule, type Behavior, type Rule } from '@skills/tool-rules'

/** A settings file with a key `permissions: { allow, deny, ask }`. */
export interface SettingsFile {
  /** Absolute. It need not exist. */
  readonly path: string
  /** A word for it, as `userSettings`, which decisions name and by which rules are saved. */
  readonly source: string
  /** Whether whoever writes the project can write it: then what it allows counts only where the project is trusted. Default false. */
  readonly isProject?: boolean | undefined
}

export interface ReadSettings {
  readonly file: SettingsFile
  readonly rules: readonly Rule[]
  readonly problems: readonly Omit<Diagnostic, 'provider'>[]
}

interface Known {
  readonly stamp: string
  readonly settings: ReadSettings
}

/** Reads settings files, and again when one changed. */
export class SettingsFiles {
  readonly #files: readonly SettingsFile[]
  readonly #known = new Map<string, Known>()
  #last: readonly ReadSettings[] = []

  constructor(files: readonly SettingsFile[]) {
    this.#files = files
  }

  get files(): readonly SettingsFile[] {
    return this.#files
  }

  /** What the files say now; the very list of before as long as none changed. */
  current(clock: Clock, signal?: AbortSignal): readonly ReadSettings[] {
    const now: ReadSettings[] = []
    for (const file of this.#files) {
      const known = this.#known.get(file.source)
      const look = lookAt(file.path, clock.now())
      if (known !== undefined && look.isSettled && known.stamp === look.stamp) now.push(known.settings)
      else {
        if (signal?.aborted === true) throw abortError(signal)
        const settings = sameAs(known?.settings, rulesOf(file, look.stamp))
        this.#known.set(file.source, { stamp: look.stamp, settings })
        now.push(settings)
      }
    }
    if (now.length !== this.#last.length || now.some((settings, at) => settings !== this.#last[at])) this.#last = now
    return this.#last
  }

  /** Has a file read again whatever its stamp says. */
  forget(source: string): void {
    this.#known.delete(source)
  }
}

const missing = 'missing'

interface Look {
  readonly stamp: string
  /** Whether a later change is sure to change the stamp. */
  readonly isSettled: boolean
}

/** A file that is younger than the clock of its file system can tell is read each time until it is not. */
function lookAt(path: string, now: number): Look {
  try {
    const own = lstatSync(path)
    // A link and what it leads to may each change without the other.
    const all = own.isSymbolicLink() ? [own, statSync(path)] : [own]
    return {
      stamp: all.map(one => [one.dev, one.ino, one.size, one.mtimeMs, one.ctimeMs].join(':')).join(' '),
      isSettled: all.every(one => isSettled(one.mtimeMs, now) && isSettled(one.ctimeMs, now)),
    }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    // What cannot be looked at is there, with rules that nobody knows; reading it tells why.
    return code === 'ENOENT' || code === 'ENOTDIR' ? { stamp: missing, isSettled: true } : { stamp: code, isSettled: false }
  }
}

/** The rules of before when nothing else is said, so that nobody is told the same twice. */
function sameAs(before: ReadSettings | undefined, now: ReadSettings): ReadSettings {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function rulesOf(file: SettingsFile, stamp: string): ReadSettings {
  const { path } = file
  if (stamp === missing) return { file, rules: [], problems: [] }
  const read = readSettings(path)
  if (read === undefined) return broken(file, { type: 'io', code: 'unreadable-settings', problem: 'changed while it was read' })
  if ('problem' in read) return broken(file, read)
  const { text, lists } = read
  const all = behaviors.flatMap(behavior => lists[behavior].map((written, at) => {
    const rule = readRule(written, behavior, file.source, { path, field: `permissions.${behavior}[${at}]` })
    // All of the file is looked through for a line, so that one is looked for only where it is told.
    const line = typeof written === 'string' && rule.problems.length > 0 ? lineOfString(text, written) : undefined
    return line === undefined ? rule : { ...rule, problems: rule.problems.map(problem => ({ ...problem, line })) }
  }))
  return { file, rules: all.flatMap(({ rules }) => rules), problems: all.flatMap(({ problems }) => problems) }
}

/** Somebody wanted rules that nobody can know, so nothing goes unasked until it is corrected. */
function broken(file: SettingsFile, { problem, ...found }: SettingsProblem): ReadSettings {
  const { path, source } = file
  const clause = `${path} ${problem}`
  return {
    file,
    rules: [{ behavior: 'ask', text: '', source, path, tool: '*', content: { kind: 'any' }, broken: clause }],
    problems: [{
      severity: 'error', path, message: `The settings file ${clause}.`, ...found,
      hint: 'Until it is corrected, everything is asked about, whatever other rules allow.',
    }],
  }
}

/**
 * One rule as it is written somewhere, and what is wrong with it. One that forbids and cannot be understood makes
 * everything be asked about that it may have meant; one that allows does nothing.
 */
export function readRule(written: unknown, behavior: Behavior, source: string, place: Pick<Diagnostic, 'path' | 'field' | 'line'> = {}): Pick<ReadSettings, 'rules' | 'problems'> {
  const { path } = place
  const text = typeof written === 'string' ? written : JSON.stringify(written) ?? String(written)
  const parsed = typeof written === 'string' ? parseRule(written, behavior) : { problem: 'is no text', at: 1, scope: '*' }
  const named = `The ${behavior} rule ${JSON.stringify(text)} of ${source}`
  if (!('problem' in parsed)) {
    const { doubt, ...parts } = parsed
    return {
      rules: [{ behavior, text, source, path, ...parts }],
      problems: doubt === undefined ? [] : [{ severity: 'warning', type: 'validation', code: 'literal-asterisk', message: `${named} ${doubt}.`, hint: 'Write what is meant, or put a backslash before the asterisk.', ...place }],
    }
  }
  const { problem, at, scope } = parsed
  const uses = scope === '*' ? 'everything is asked about' : `every use of ${scope} is asked about`
  return {
    rules: behavior === 'allow' ? [] : [{ behavior, text, source, path, tool: scope, content: { kind: 'any' }, broken: `${named.replace('The', 'the')} cannot be understood` }],
    problems: [{
      severity: behavior === 'allow' ? 'warning' : 'error', type: 'validation', code: 'invalid-rule', message: `${named} ${problem} (character ${at}).`,
      hint: behavior === 'allow' ? 'It allows nothing until it is corrected, as Skill(name), Skill(namespace:*) or Bash(git log *).' : `Until it is corrected, ${uses}.`, ...place,
    }],
  }
}
