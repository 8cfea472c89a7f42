import { execFileSync } from 'node:child_process'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promptCommand, type Effect, type Host, type PromptCommand, type SetupContext } from '@skills/core'
import type { PermissionDecision, PermissionRequest, TrustLevel } from '@skills/rules'
import { expand } from '../src/template/expand.js'
import type { Expander } from '../src/template/expander.js'
import type { NamedExpander } from '../src/template/expand.js'
import { fakeClock, fakeHost, tempTree, type FakeClock, type TempTree } from '@skills/testing'
import { expect, onTestFinished, vi } from 'vitest'
import { shellExpander, type ShellExpanderOptions } from '../src/shell.js'

export type Asked = Pick<PermissionRequest, 'tool' | 'content' | 'values'>

export interface Given extends ShellExpanderOptions {
  readonly args?: string
  readonly trust?: TrustLevel
  readonly command?: Partial<PromptCommand>
  readonly host?: Partial<Host>
  readonly signal?: AbortSignal
  readonly forbids?: () => Promise<string | undefined>
  readonly authorize?: (request: Asked) => Promise<PermissionDecision>
}

export interface Bench {
  readonly tree: TempTree
  readonly clock: FakeClock
  /** Requests for permission. */
  readonly asked: Asked[]
  readonly expander: Expander
  /**
   * Expands a body. `$ARGUMENTS` is all arguments, `$N` the N-th of them split at spaces, `${CLAUDE_PLUGIN_ROOT}` a
   * folder, and `$$` always missing.
   */
  expand(body: string): Promise<string>
  /** Undoes the effects as an engine does when it closes. */
  close(): Promise<void>
}

export const allowed: PermissionDecision = {
  behavior: 'allow',
  message: 'It is allowed.',
  decisionReason: { type: 'rule', rule: 'Bash', source: 'user' },
}

/** Sets up a shell expander in a temporary folder, without an engine. */
export async function shell(given: Given = {}): Promise<Bench> {
  const {
    args = '',
    trust = 'trusted',
    command = {},
    host = {},
    signal = new AbortController().signal,
    forbids = async () => undefined,
    authorize = async () => allowed,
    ...options
  } = given
  const tree = tempTree()
  const clock = fakeClock()
  const asked: Asked[] = []
  const machine = fakeHost({ cwd: tree.path, clock, env: { PATH: process.env['PATH'] }, ...host })
  const closing = new AbortController()
  const undos: Effect[] = []
  const unused = (): never => {
    throw new Error('The shell expander has no use for this.')
  }
  const context: SetupContext = {
    signal: closing.signal,
    host: machine,
    report: unused,
    hook: unused,
    use: unused,
    invalidate: unused,
    effect: async (_, acquire) => void undos.push(await acquire()),
  }
  const expander = await shellExpander(options).setup(context)
  const close = async (): Promise<void> => {
    closing.abort()
    for (const undo of undos.splice(0)) await undo()
  }
  onTestFinished(async () => {
    await close()
    tree.dispose()
  })
  const skill = promptCommand({ name: 'release', source: 'user', load: () => ({ template: '' }), ...command })
  return {
    tree,
    clock,
    asked,
    expander,
    close,
    async expand(body) {
      const expanders: readonly NamedExpander[] = [
        { id: 'arguments', value: argumentExpander },
        { id: 'shell', value: expander },
      ]
      const { text } = await expand(body, expanders, {
        command: skill,
        args,
        trust,
        host: machine,
        signal,
        forbids,
        progress: () => {},
        authorize(request) {
          asked.push(request)
          return authorize(request)
        },
      })
      return text
    },
  }
}

const reference = /\\\$|\$(?:ARGUMENTS|\d+|\$)|\$\{CLAUDE_PLUGIN_ROOT\}/y

const argumentExpander: Expander = {
  claims: '$\\',
  lex(text, at) {
    reference.lastIndex = at
    const [found] = reference.exec(text) ?? []
    return found === undefined ? undefined : { end: at + found.length }
  },
  evaluate({ text }, { args }) {
    if (text === '$ARGUMENTS') return args
    if (text.startsWith('${')) return '/plugins/acme'
    return text.startsWith('\\') ? '$' : args.split(' ')[Number(text.slice(1))]
  },
}

/** Pipe through which processes report, and by which a test sees that they still run. */
export interface Pipe {
  readonly path: string
  /** Returns the next line that a process writes. */
  line(): Promise<string>
  /** Resolves when every process that had it open has ended. */
  ended(): Promise<void>
}

/** Makes a named pipe in a tree. It stays open while a process that opened it for writing lives. */
export function pipe(tree: TempTree, name = 'pipe'): Pipe {
  const path = `${tree.path}/${name}`
  execFileSync('mkfifo', [path])
  const stream = createReadStream(path)
  onTestFinished(() => void stream.destroy())
  const lines = createInterface(stream)[Symbol.asyncIterator]()
  return {
    path,
    async line() {
      const { value, done } = await lines.next()
      if (done === true) throw new Error('Every process that had the pipe open has ended.')
      return value
    },
    async ended() {
      while ((await lines.next()).done !== true);
    },
  }
}

/** Waits until no process of a group is left, apart from zombies. */
export async function expectGroupGone(group: string): Promise<void> {
  await vi.waitFor(() => expect(membersOf(group)).toEqual([]), { timeout: 10_000, interval: 5 })
}

/** Returns the ids of the running processes of a group. */
export function membersOf(group: string): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(id => {
      const [state, , member] = statusOf(id)
      return member === group && state !== 'Z' && state !== 'X'
    })
}

/** Returns state, parent and group of a process; nothing if it is gone. */
function statusOf(id: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ', 3)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return []
    throw error
  }
}
