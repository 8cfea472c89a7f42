import { basename, dirname } from 'node:path'
import { abortError, closestNames, locationOf, type Clock, type Diagnostic } from '@skills/core'
import { stampOf } from '@skills/files'
import { behaviors, readSettings, type SettingsProblem } from './settings.js'
import { knownFileTools, fileUseOf, type FileTools, type Rule, type RuleOptions } from '@skills/rules/internal'
import { parseRule, type Behavior, type RuleContent } from '@skills/rules'

/** Settings file with a key `permissions: { allow, deny, ask }`. */
export interface SettingsFile {
  /** Absolute path. The file need not exist. */
  readonly path: string
  /** Name of the file, such as `userSettings`. Decisions show it, and rules are saved by it. */
  readonly source: string
  /** True if a project's authors can write it. Its allow rules then count only in a trusted project. Default: false. */
  readonly isProject?: boolean | undefined
  /** True if its ask rules always count, although `isProject` is true. Default: false. */
  readonly asks?: boolean | undefined
  /** True if its allow rules never count. Default: false. */
  readonly onlyRestricts?: boolean | undefined
  /**
   * Absolute folder that `/x` of its rules about files is relative to. Default: the file's own folder; for a project's
   * file in `.claude` the folder around that.
   */
  readonly top?: string | undefined
}

/** Context in which a rule is read. */
export interface RuleReading {
  /** Place of the rule. */
  readonly place?: Pick<Diagnostic, 'path' | 'field' | 'line'> | undefined
  /** Longest rule in characters. Default: no limit. */
  readonly mostCharacters?: number | undefined
  /** See {@link SettingsFile.top}. */
  readonly top?: string | undefined
  /** Tools of the host whose rules are about files, besides the known ones. */
  readonly fileTools?: FileTools | undefined
  /** Places where a `*` in a rule for a shell is a wildcard. */
  readonly asterisks?: RuleOptions['asterisks']
}

/** Options for reading all rules of a host. */
export type Reading = Pick<RuleReading, 'fileTools' | 'asterisks'>

export interface ReadSettings {
  readonly file: SettingsFile
  readonly rules: readonly Rule[]
  readonly problems: readonly Omit<Diagnostic, 'provider'>[]
}

interface Known {
  readonly stamp: string
  readonly settings: ReadSettings
}

/** Reads settings files, and reads them again when they change. */
export class SettingsFiles {
  readonly #known = new Map<string, Known>()
  #last: readonly ReadSettings[] = []

  constructor(
    readonly files: readonly SettingsFile[],
    private readonly reading: Reading = {},
  ) {}

  /** Returns the settings of now; the same list as before while no file changed. */
  current(clock: Clock, signal?: AbortSignal): readonly ReadSettings[] {
    const now: ReadSettings[] = []
    for (const file of this.files) {
      const known = this.#known.get(file.source)
      const { text: stamp, isSettled } = stampOf([file.path], clock.now())
      if (known !== undefined && isSettled && known.stamp === stamp) now.push(known.settings)
      else {
        if (signal?.aborted === true) throw abortError(signal)
        const settings = sameAs(known?.settings, rulesOf(file, stamp, this.reading))
        this.#known.set(file.source, { stamp, settings })
        now.push(settings)
      }
    }
    if (now.length !== this.#last.length || now.some((settings, at) => settings !== this.#last[at])) this.#last = now
    return this.#last
  }

  /** Makes a file be read again even if its stamp is unchanged. */
  forget(source: string): void {
    this.#known.delete(source)
  }
}

/** Returns the earlier reading if both are equal, so that its problems are reported once. */
function sameAs(before: ReadSettings | undefined, now: ReadSettings): ReadSettings {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

/**
 * Most rules of a project's file. This is far more than a person writes, and few enough to compare with every request.
 */
export const mostProjectRules = 1000
/** Longest rule of a project in characters. */
const mostRuleCharacters = 4096
/** Most problems of one file that are reported separately. */
const mostProblems = 5

function rulesOf(file: SettingsFile, stamp: string, reading: Reading): ReadSettings {
  const { path, source, isProject, top = topOf(file) } = file
  if (stamp === '') return { file, rules: [], problems: [] }
  const read = readSettings(path)
  if (read === undefined)
    return broken(file, {
      type: 'io',
      code: 'unreadable-settings',
      problem: 'changed while it was read, or is a link to nothing',
    })
  if ('problem' in read) return broken(file, read)
  const { lists, lines } = read
  const count = behaviors.reduce((sum, behavior) => sum + lists[behavior].length, 0)
  if (isProject === true && count > mostProjectRules) {
    return broken(file, {
      type: 'parse',
      code: 'invalid-settings',
      problem: `has ${count} rules, and the settings file of a project may have at most ${mostProjectRules}`,
      field: 'permissions',
    })
  }
  return {
    file,
    ...withFewProblems(
      behaviors.flatMap(behavior =>
        lists[behavior].map((written, at) => {
          const line = lines.of(['permissions', behavior, at])
          const place = { path, field: `permissions.${behavior}[${at}]`, ...(line !== undefined && { line }) }
          const mostCharacters = isProject === true ? mostRuleCharacters : Infinity
          return readRule(written, behavior, source, { place, mostCharacters, top, ...reading })
        }),
      ),
    ),
  }
}

/** See {@link SettingsFile.top}. */
export function topOf({ path, isProject }: SettingsFile): string {
  const folder = dirname(path)
  return isProject === true && basename(folder) === '.claude' ? dirname(folder) : folder
}

/**
 * Joins the rules of one place. The first problems are kept, and the others are counted. For each tool, one invalid
 * rule is kept.
 */
export function withFewProblems(
  read: readonly Pick<ReadSettings, 'rules' | 'problems'>[],
): Pick<ReadSettings, 'rules' | 'problems'> {
  const closed = new Set<string>()
  const rules = read
    .flatMap(one => one.rules)
    .filter(({ broken: why, tool }) => why === undefined || (!closed.has(tool) && closed.add(tool)))
  const problems = read.flatMap(one => one.problems)
  const [told, others] = [problems.slice(0, mostProblems), problems.slice(mostProblems)]
  const [first] = others
  if (first === undefined) return { rules, problems }
  const { path } = first
  const severity = others.some(one => one.severity === 'error') ? 'error' : 'warning'
  return {
    rules,
    problems: [
      ...told,
      {
        severity,
        type: 'validation',
        code: 'invalid-rule',
        ...(path !== undefined && { path }),
        message: `${others.length} more rules${path === undefined ? '' : ` of ${path}`} cannot be understood or are doubtful.`,
        hint: 'Correct the rules that are named, and check again.',
      },
    ],
  }
}

/** Makes the rules of a file that cannot be read: the user is asked about everything until it is corrected. */
function broken(file: SettingsFile, { problem, ...found }: SettingsProblem): ReadSettings {
  const { path, source } = file
  return {
    file,
    rules: [
      unreadable(source, `the rules of ${locationOf({ path, ...found })} cannot be read: the file ${problem}`, path),
    ],
    problems: [
      {
        severity: 'error',
        path,
        message: `The settings file ${path} ${problem}.`,
        ...found,
        hint: 'Correct the file. Until then you are asked about everything, even what other rules allow.',
      },
    ],
  }
}

/** Makes the rule that replaces unreadable rules: a person is asked about everything that no other rule denies. */
export function unreadable(source: string, problem: string, path?: string): Rule {
  return {
    behavior: 'ask',
    text: '',
    source,
    path,
    tool: '*',
    content: { kind: 'any' },
    broken: problem.replace(/\s+/g, ' '),
  }
}

/**
 * Reads one rule, with its problems. An invalid rule that forbids is replaced by a question about everything that the
 * rule may have meant. An invalid rule that allows has no effect.
 */
export function readRule(
  written: unknown,
  behavior: Behavior,
  source: string,
  { place = {}, mostCharacters = Infinity, top, fileTools: ofHost = {}, asterisks }: RuleReading = {},
): Pick<ReadSettings, 'rules' | 'problems'> {
  const { path } = place
  const files = { ...knownFileTools, ...ofHost }
  const whole = typeof written === 'string' ? written : (JSON.stringify(written) ?? String(written))
  const text = whole.length > mostCharacters ? `${whole.slice(0, 60)}…` : whole
  const parsed =
    text !== whole
      ? { problem: `has more than ${mostCharacters} characters`, at: mostCharacters + 1, scope: '*' }
      : typeof written === 'string'
        ? parseRule(written, behavior, { fileTools: files, asterisks })
        : { problem: 'is not text', at: 1, scope: '*' }
  const named = `The ${behavior} rule ${JSON.stringify(text)} of ${source}`
  if (!('problem' in parsed)) {
    const { doubt, ...parts } = parsed
    const meant = meantTool(parts.tool)
    const warning = { severity: 'warning', type: 'validation', ...place } as const
    return {
      rules: [{ behavior, text, source, path, top, ...parts }],
      problems: [
        ...(doubt === undefined
          ? []
          : [
              {
                ...warning,
                code: 'literal-asterisk',
                message: `${named} ${doubt}.`,
                hint: 'Write the pattern in another way, or put a backslash before the asterisk.',
              },
            ]),
        ...(meant === undefined
          ? []
          : [
              {
                ...warning,
                code: 'unknown-tool-name',
                message: `${named} names the tool "${parts.tool}", which is not known.`,
                hint: `The rule has no effect unless a tool has this name. Did you mean "${meant}"?`,
              },
            ]),
      ],
    }
  }
  const { problem, at, scope } = parsed
  const uses = scope === '*' ? 'you are asked about everything' : `you are asked about every use of ${scope}`
  return {
    rules:
      behavior === 'allow'
        ? []
        : [
            {
              behavior,
              text,
              source,
              path,
              tool: scope,
              // Covers the other tools that a rule about files is about.
              content: fileUseOf(scope, files) === undefined ? { kind: 'any' } : everyFile,
              broken: `${named.replace('The', 'the')} cannot be understood`,
            },
          ],
    problems: [
      {
        severity: behavior === 'allow' ? 'warning' : 'error',
        type: 'validation',
        code: 'invalid-rule',
        message: `${named} ${problem} (character ${at}).`,
        hint:
          behavior === 'allow'
            ? fileUseOf(scope, files) === undefined
              ? 'The rule allows nothing until it is corrected. Write it as Skill(name), Skill(namespace:*) or Bash(git log *).'
              : 'The rule allows nothing until it is corrected. Write it as Read(./src/**), Edit(~/notes/**) or Read(//etc/hosts).'
            : `Until the rule is corrected, ${uses}${fileUseOf(scope, files) === undefined ? '' : '. Write the rule as Read(./src/**), Edit(~/notes/**) or Read(//etc/hosts)'}.`,
        ...place,
      },
    ],
  }
}

const everyFile: RuleContent = { kind: 'path', text: '//**' }

/**
 * Tools that the engine itself asks about. A host may have any others. A name that differs from these by one slip is
 * reported.
 */
const ownTools = ['Skill', 'Bash', 'PowerShell']

function meantTool(tool: string): string | undefined {
  if (ownTools.includes(tool)) return undefined
  return closestNames(tool, ownTools, 1).find(own => Math.abs(own.length - tool.length) <= 1)
}
