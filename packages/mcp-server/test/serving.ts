import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createSkills, type Diagnostic } from '@skills/core'
import { standard, type DistributionOptions } from '@skills/distributions'
import { tempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { SkillsServer } from '../src/index.js'
import type { SkillsServerOptions } from '../src/options.js'

/** Serves an engine over a project's files. */
export async function serving(
  files: TreeEntries,
  more: Partial<DistributionOptions> = {},
  options: Partial<SkillsServerOptions> = {},
  { showsPaths }: { readonly showsPaths?: boolean | undefined } = {},
) {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...files })
  const reported: Diagnostic[] = []
  const onDiagnostic = (diagnostic: Diagnostic): void => void reported.push(diagnostic)
  const distribution = standard({
    host: { cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: {}, showsPaths },
    trust: { all: true },
    bundled: false,
    onDiagnostic,
    ...more,
  })
  const skills = createSkills(distribution)
  const server = await SkillsServer.open({ skills, distribution, watches: false, onDiagnostic, ...options })
  onTestFinished(async () => {
    await server.close()
    await skills.close()
    tree.dispose()
  })
  return { tree, skills, server, reported }
}

export interface ConnectOptions {
  /** Protocol: `auto` is that of 2026, `legacy` the handshake before it. Default: `auto`. */
  readonly mode?: 'auto' | 'legacy'
  /** Answers questions to the person. Without it the client cannot be asked. */
  readonly answer?: (message: string) => boolean
  /** `manual`: a call returns its question. */
  readonly rounds?: 'manual'
}

/** Connects a new client, as over standard streams. */
export async function connect(server: SkillsServer, { mode = 'auto', answer, rounds }: ConnectOptions = {}) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const session = server.client()
  const handle = serveStdio(() => server.protocolServer(session), { transport: far })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      ...(rounds === 'manual' && { inputRequired: { autoFulfill: false } }),
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { allow: answer(params.message) },
    }))
  await client.connect(near)
  onTestFinished(async () => {
    await client.close()
    await handle.close()
    await server.leave(session)
  })
  return Object.assign(client, { skills: new SkillsClient(client) })
}

/** Returns the text of a result. */
export function textOf({ content }: { readonly content?: unknown }): string {
  return Array.isArray(content) ? content.map((block: { readonly text?: string }) => block.text ?? '').join('\n') : ''
}

/** Makes a promise and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}
