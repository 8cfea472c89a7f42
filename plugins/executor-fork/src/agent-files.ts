import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { findProjectFolders, readWholeFileSync, stampOf } from '@skills/files'
import { ioProblem, realFolders, realPathOf, slashes, systemCode, type Stamp } from '@skills/files/internal'
import { compareCodeUnits, promptCommand, type Diagnostic, type Host, type PromptCommand } from '@skills/core'
import { readAgent, type AgentReading } from './read-agent.js'
import type { AgentDefinition } from './agent.js'
import type { Claim } from '@skills/invocation'

/** Agent that a file defines. */
export interface AgentFile {
  readonly path: string
  readonly agent: AgentDefinition
  /** Command that stands for the file when its trust is judged. */
  readonly standIn: PromptCommand
  /** Claim that has to be agreed to. Absent for an agent of the user, and for one that only removes tools. */
  readonly claim?: Claim | undefined
}

export interface AgentFiles {
  /** Agents of the user first, then those of the project, nearest first. */
  readonly agents: readonly AgentFile[]
  /** Files that define no valid agent, with the name that it would have had. */
  readonly broken: readonly { readonly name: string; readonly path: string; readonly problem: string }[]
}

/** Folders of agents, unless a host names others. */
export const agentFolders: readonly string[] = ['.claude']

export type AgentHost = Pick<Host, 'clock' | 'cwd' | 'env' | 'home' | 'platform' | 'uid'>

interface Root {
  readonly path: string
  readonly source: 'user' | 'project'
  readonly within: readonly string[] | undefined
}

/** Finds the agents of the user and of the project. A faulty agent is reported once and left out. */
export class AgentFolders {
  /** Readings by path, with a stamp that shows whether they are current. */
  readonly #read = new Map<string, { readonly stamp: Stamp; readonly reading: AgentReading | undefined }>()
  readonly #told = new Set<string>()

  constructor(
    private readonly folders: readonly string[],
    private readonly host: AgentHost,
    private readonly report: (diagnostic: Diagnostic) => void,
  ) {}

  async find(): Promise<AgentFiles> {
    const agents: AgentFile[] = []
    const broken: AgentFiles['broken'][number][] = []
    const seen = new Set<string>()
    for (const root of this.#roots()) {
      for (const path of this.#filesIn(root, seen)) {
        const reading = await this.#reading(path, root)
        const name = basename(path, '.md')
        if (reading === undefined) continue
        if ('problem' in reading) broken.push({ name, path, problem: reading.problem })
        else {
          const { agent, text } = reading
          const { name: label, system, model, effort, skills } = agent
          const mustBeAgreed =
            root.source === 'project' && [system, model, effort, skills].some(part => part !== undefined)
          agents.push({
            path,
            agent,
            standIn: promptCommand({ name: label, source: root.source, filePath: path, load: () => ({ blocks: [] }) }),
            ...(mustBeAgreed && { claim: { kind: 'agent', label, path, text } }),
          })
        }
      }
    }
    return { agents, broken }
  }

  #roots(): readonly Root[] {
    if (this.folders.length === 0) return []
    const { cwd, env, home } = this.host
    const user = this.folders.flatMap((folder): readonly Root[] => {
      const configured = folder === '.claude' ? (env['CLAUDE_CONFIG_DIR'] ?? '') : ''
      const path =
        configured !== '' ? slashes(resolve(cwd, configured)) : home === '' ? undefined : `${slashes(home)}/${folder}`
      return path === undefined ? [] : [{ path: `${path}/agents`, source: 'user', within: undefined }]
    })
    const project = findProjectFolders(this.host)
    // A link that leads out of the project could bring foreign text into a conversation.
    const within = realFolders([project.top])
    return [
      ...user,
      ...project.folders.flatMap(base =>
        this.folders.map((folder): Root => ({ path: `${base}/${folder}/agents`, source: 'project', within })),
      ),
    ]
  }

  #filesIn({ path }: Root, seen: Set<string>): readonly string[] {
    try {
      const names = readdirSync(path)
        .filter(name => name.endsWith('.md'))
        .toSorted(compareCodeUnits)
      return names
        .map(name => `${path}/${name}`)
        .filter(file => {
          // In the home folder, the user's agents would otherwise count as the project's too.
          const real = realPathOf(file) ?? file
          return !seen.has(real) && seen.add(real)
        })
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) this.tell(ioProblem('The folder', path, error))
      return []
    }
  }

  async #reading(path: string, { within }: Root): Promise<AgentReading | undefined> {
    const stamp = stampOf([path], this.host.clock.now())
    const before = this.#read.get(path)
    if (before?.stamp.isSettled === true && before.stamp.text === stamp.text) return before.reading
    const file = readWholeFileSync(path, { within })
    let reading: AgentReading | undefined
    if (file !== undefined)
      reading =
        'problem' in file
          ? { problem: `cannot be read: ${file.problem.message}` }
          : await readAgent(file.bytes, basename(path, '.md'))
    this.#read.set(path, { stamp, reading })
    if (reading !== undefined && 'problem' in reading) {
      const { problem, line } = reading
      this.tell({
        severity: 'error',
        type: 'validation',
        code: 'invalid-agent',
        path,
        ...(line !== undefined && { line }),
        message: `The agent ${path} ${problem}`,
        hint: 'Until this file is corrected, skills that name the agent do not run.',
      })
    }
    return reading
  }

  /** Reports a diagnostic once. */
  tell(diagnostic: Diagnostic): void {
    const key = JSON.stringify(diagnostic)
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.report(diagnostic)
  }
}

/**
 * Returns the agents of a project that a person has to agree to: each file that brings a prompt, model, effort or
 * skills into a fork.
 * @param folders same as the option of {@link forkExecutor}
 * @param report called for files that define no valid agent
 */
export async function agentClaims(
  host: AgentHost,
  {
    folders = agentFolders,
    report,
  }: { readonly folders?: readonly string[] | undefined; readonly report: (diagnostic: Diagnostic) => void },
): Promise<readonly Claim[]> {
  const { agents } = await new AgentFolders(folders, host, report).find()
  return agents.flatMap(({ claim }) => claim ?? [])
}
