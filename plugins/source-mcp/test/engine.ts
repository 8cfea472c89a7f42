import { createSkills, type Catalog, type Diagnostic, type Plugin, type PromptCommand, type Skills } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { mcpSource, type McpSourceOptions } from '../src/index.js'
import type { Host } from '@skills/core'

export interface Engine extends Skills {
  /** Every diagnostic that was reported. */
  readonly told: Diagnostic[]
  /** Returns the command of a name, as one that can be loaded. */
  prompt(name: string): Promise<PromptCommand>
  /** Returns the names in the current catalog. */
  names(): Promise<readonly string[]>
}

/** Makes an engine with one MCP source that waits for its servers without a limit. */
export function engine(options: McpSourceOptions, host: Partial<Host> = {}, plugins: readonly Plugin[] = []): Engine {
  const told: Diagnostic[] = []
  const skills = createSkills({
    plugins: [mcpSource({ waitMs: Infinity, ...options }), ...plugins],
    host: fakeHost({ cwd: process.cwd(), env: { PATH: process.env['PATH'] }, ...host }),
    onDiagnostic: diagnostic => void told.push(diagnostic),
  })
  return {
    ...skills,
    host: skills.host,
    signal: skills.signal,
    told,
    async prompt(name) {
      const { command } = (await skills.catalog()).require(name)
      if (command.type !== 'prompt') throw new Error(`"${name}" is no prompt.`)
      return command
    },
    names: async () => namesOf(await skills.catalog()),
  }
}

export function namesOf(catalog: Catalog): readonly string[] {
  return catalog.entries.map(({ name }) => name)
}

/** Loads a command and returns its blocks; an image as its type. */
export async function textsOf(command: PromptCommand, args = ''): Promise<readonly string[]> {
  const body = await command.load(args, { signal: new AbortController().signal })
  if (!('blocks' in body)) throw new Error('A template would be expanded.')
  return body.blocks.map(block => (block.type === 'text' ? block.text : block.mimeType))
}

/** Makes a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}
