import { accessSync, constants } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { needsOf } from '@skills/skill-md'
import type { SkillNeeds } from '@skills/skill-md/internal'
import { unlessRefused } from '@skills/files/internal'
import type { Command, GateRules, Host, Note } from '@skills/core'
import { holdingNames } from './holding-names.js'

type NeedsHost = Pick<Host, 'env' | 'platform'>

/** Need, and whether it is met. `isMet` is undefined if that cannot be determined here. */
interface Judged {
  readonly isMet: boolean | undefined
  readonly text: string
}

/** Answers of the followed program's own settings to needs of its skills. */
export interface ProgramNeeds {
  /** True if a setting, such as `browser.enabled`, has a value that meets a need. */
  isSet(setting: string): boolean
  /** True if the program gives a skill a variable of the environment. */
  gives(command: Command, variable: string): boolean
}

/** Pattern of names that a program in the search path can have. */
const programName = /^[\w.+-]+$/

/** Judges the needs of skills at one moment. Each program is looked up once. */
export class NeedsJudge {
  readonly #programs = new Map<string, boolean>()

  /**
   * @param servers names of the configured MCP servers; undefined if they are unknown
   * @param program undefined if the settings of the program are unknown
   */
  constructor(
    private readonly host: NeedsHost,
    private readonly servers: readonly string[] | undefined,
    private readonly program?: ProgramNeeds,
  ) {}

  /** Returns the first need that is not met, as a sentence. Undefined if all are met, or if it cannot be determined. */
  refuses(command: Command): string | undefined {
    return this.#judge(command).find(({ isMet }) => isMet === false)?.text
  }

  /** Returns each need that is not met or cannot be determined, as a sentence. */
  notes(command: Command): readonly Note[] {
    const path = command.type === 'prompt' ? command.filePath : undefined
    return this.#judge(command)
      .filter(({ isMet }) => isMet !== true)
      .map(({ text }) => ({ text, ...(path !== undefined && { path }) }))
  }

  #judge(command: Command): readonly Judged[] {
    const needs = command.type === 'prompt' ? needsOf(command.metadata) : undefined
    return needs === undefined ? [] : this.#judgeAll(needs, command)
  }

  #judgeAll({ bins, anyBins, env, config, mcp, os }: SkillNeeds, command: Command): readonly Judged[] {
    const { env: environment, platform } = this.host
    const { program } = this
    return [
      ...bins.map(name => ({
        isMet: this.#hasProgram(name),
        text: `It needs the program ${quoted(name)}, which is not in PATH.`,
      })),
      ...(anyBins.length === 0
        ? []
        : [
            {
              isMet: anyBins.some(name => this.#hasProgram(name)),
              text: `It needs one of the programs ${anyBins.map(quoted).join(', ')}, but none of these programs is in PATH.`,
            },
          ]),
      ...env.map(name => ({
        isMet: (environment[name] ?? '').trim() !== '' || program?.gives(command, name) === true,
        text: `It needs the environment variable ${quoted(name)}, which is not set.`,
      })),
      ...(os.length === 0
        ? []
        : [{ isMet: os.includes(platform), text: `It is made for ${os.join(', ')}, but this system is ${platform}.` }]),
      ...mcp.map(name =>
        this.servers === undefined
          ? {
              isMet: undefined,
              text: `It needs the MCP server ${quoted(name)}; this program cannot see which servers are configured.`,
            }
          : {
              isMet: this.servers.includes(name),
              text: `It needs the MCP server ${quoted(name)}, which is not configured.`,
            },
      ),
      ...config.map(name =>
        program === undefined
          ? {
              isMet: undefined,
              text: `It needs the setting ${quoted(name)} of the program that it was written for; this program cannot see that setting.`,
            }
          : { isMet: program.isSet(name), text: `It needs the setting ${quoted(name)}, which is not set.` },
      ),
    ]
  }

  #hasProgram(name: string): boolean {
    const known = this.#programs.get(name)
    if (known !== undefined) return known
    const { env, platform } = this.host
    const isWindows = platform === 'win32'
    const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':').filter(isAbsolute)
    const endings = isWindows ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : ['']
    const isThere =
      programName.test(name) &&
      folders.some(folder => endings.some(ending => isProgram(join(folder, `${name}${ending}`))))
    this.#programs.set(name, isThere)
    return isThere
  }
}

/**
 * Returns the rules of a gate that leaves out commands with unmet needs. Changes take effect with the next load. If the
 * program is known, a skill that is left out holds its name.
 */
export function leavingOut(...about: ConstructorParameters<typeof NeedsJudge>): GateRules {
  const judge = new NeedsJudge(...about)
  const refuses = (command: Command): string | undefined => judge.refuses(command)
  return { command: about[2] === undefined ? refuses : holdingNames(refuses) }
}

function quoted(name: string): string {
  return JSON.stringify(name)
}

function isProgram(path: string): boolean {
  // A program that may not be executed or read does not exist for the skill.
  return unlessRefused(() => {
    accessSync(path, constants.X_OK)
    return true
  }, false)
}
