import { promptCommand, type PromptCommand, type SetupContext } from '@skills/core'
import { expand } from '../src/template/expand.js'
import type { ExpandContext } from '../src/template/expander.js'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { filesExpander, type FilesExpanderOptions } from '../src/files.js'

export function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

export interface Setting extends Partial<Omit<ExpandContext, 'command'>> {
  readonly options?: FilesExpanderOptions
  readonly command?: Partial<PromptCommand>
}

/** Expands a body, and returns its text and the reported findings in short form. */
export async function referring(
  body: string,
  { options = {}, command, ...parts }: Setting = {},
): Promise<{ readonly text: string; readonly found: readonly string[]; readonly messages: readonly string[] }> {
  const found: string[] = []
  const messages: string[] = []
  const unused = (): never => {
    throw new Error('This expander has no use for it.')
  }
  const context: SetupContext = {
    signal: new AbortController().signal,
    host: fakeHost(),
    hook: unused,
    effect: unused,
    use: unused,
    invalidate: unused,
    report({ severity, code, message }) {
      found.push(`${severity} ${code}`)
      messages.push(message)
    },
  }
  const provider = filesExpander(options)
  const { text } = await expand(body, [{ id: provider.id, value: await provider.setup(context) }], {
    command: promptCommand({ name: 'review', source: 'user', load: () => ({ template: body }), ...command }),
    args: '',
    trust: 'trusted',
    host: fakeHost(),
    signal: new AbortController().signal,
    authorize: async ({ isFree }) => ({
      behavior: isFree === true ? 'allow' : 'deny',
      message: 'No rule matches this call.',
      decisionReason: { type: 'default' },
    }),
    forbids: async () => undefined,
    progress: () => {},
    ...parts,
  })
  return { text, found, messages }
}

/** Does the same in a working folder that contains a skill. */
export async function inProject(body: string, entries: TreeEntries, { options, ...more }: Setting = {}) {
  const { path } = temporary({ 'project/skill/SKILL.md': '', 'outside/secret.txt': 'SECRET', ...entries })
  const host = fakeHost({ cwd: `${path}/project`, home: `${path}/home` })
  return {
    path,
    ...(await referring(body, {
      host,
      command: { baseDir: `${path}/project/skill` },
      ...(options && { options }),
      ...more,
    })),
  }
}
