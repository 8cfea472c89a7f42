/** Smallest working example of a recipe in CONTRIBUTING.md. */
export interface Sample {
  /** Title of the recipe. */
  readonly recipe: string
  /** Name in place of NAME. */
  readonly name: string
  /** By file: the whole text of a new file, or replacements in an existing one. */
  readonly files: Readonly<Record<string, string | readonly (readonly [before: string, after: string])[]>>
}

const source = (text: string): string => `${text.trim()}\n`

/** Returns the package.json of a package whose files are those of another one. */
const packageOf = (name: string): string =>
  source(`{ "name": "@skills/${name}", "version": "0.0.0", "type": "module" }`)

export const samples: readonly Sample[] = [
  {
    recipe: 'A field',
    name: 'audience',
    files: {
      'packages/core/src/fields/field-table.ts': [
        [
          "  {\n    name: 'license',",
          `  {
    name: 'audience',
    list: true,
    type: 'note',
    asks: false,
    readers: 'listing',
    effect: 'says who it is for',
    without: 'tools would not show it',
  },
  {
    name: 'license',`,
        ],
      ],
    },
  },
  {
    recipe: 'A source',
    name: 'notes',
    files: {
      'plugins/source-notes/package.json': packageOf('source-notes'),
      'plugins/source-notes/src/index.ts': source(`
import { fileSource } from '@skills/files/source'

export function notesSource(): Provider<'source'> {
  return fileSource({ id: 'notes', source: 'notes', roots: host => ({ roots: [{ path: \`\${host.cwd}/notes\` }] }) })
}`),
      'packages/core/src/command.ts': [["  | 'managed'\n  | 'user'\n", "  | 'managed'\n  | 'notes'\n  | 'user'\n"]],
      'packages/files/src/source/source-names.ts': [["  'managed',\n", "  'managed',\n  'notes',\n"]],
      'packages/files/src/source/source-names.test.ts': [
        ['    managed: true,\n', '    managed: true,\n    notes: true,\n'],
      ],
      'packages/distributions/src/agents/standard/index.ts': [
        [
          'import { defineDistribution } from',
          "import { notesSource } from '@skills/source-notes'\nimport { defineDistribution } from",
        ],
        ["precedence: ['managed', ", "precedence: ['managed', 'notes', "],
        ["      ['user', user],\n", "      ['user', user],\n      notesSource,\n"],
      ],
    },
  },
  {
    recipe: 'A store',
    name: 'table',
    files: {
      'packages/store/package.json': [
        [
          '    "./http": {',
          '    "./table": { "types": "./dist/table.d.ts", "default": "./dist/table.js" },\n    "./http": {',
        ],
      ],
      'packages/store/tsup.config.ts': [["'src/http.ts'", "'src/http.ts', 'src/table.ts'"]],
      'packages/store/src/table.ts': source(`
import type { Store } from './store.js'
import { TreeStore } from './tree-store.js'

type Row = string | Uint8Array | { readonly link: string }

/** Files in a table, by their paths. */
export function tableStore(rows: ReadonlyMap<string, Row>): Store {
  const entries = new Map(Array.from(rows, ([path, row]) => [path, entryOf(row)]))
  return new TreeStore({ root: 'table:', id: 'table', entries: () => entries })
}

function entryOf(row: Row) {
  if (typeof row === 'object' && 'link' in row) return row
  const bytes = Buffer.from(row as string)
  return { size: bytes.length, version: bytes.toString('base64'), read: () => bytes }
}`),
    },
  },
  {
    recipe: 'An executor',
    name: 'batch',
    files: {
      'plugins/executor-batch/package.json': packageOf('executor-batch'),
      'plugins/executor-batch/src/index.ts': source(`
import { defineProvider, type Provider, type Provider } from '@skills/core'
import { expandWith } from '@skills/expansion'
import type { Executor } from '@skills/invocation'

declare module '@skills/core' {
  interface Contexts {
    batch: true
  }
}

export function batchExecutor(): Provider<'executor', 'expander'> {
  return defineProvider({
    kind: 'executor',
    id: 'batch',
    contract: 1,
    wants: ['expander'],
    setup: (ctx): Executor => ({
      async execute({ command, entry: { name }, body, args, trust, authorize, forbids, progress }, { signal }) {
        const template = 'template' in body ? body.template : ''
        const given = { command, args, trust, authorize, forbids, progress, host: ctx.host, signal }
        const { text } = await expandWith(ctx.use('expander'), template, given)
        const data = { success: true, commandName: name, status: 'inline' } as const
        return { data, newMessages: [{ type: 'user', content: \`Batched: \${text}\` }] }
      },
    }),
  })
}`),
      'packages/distributions/src/parts.ts': [
        [
          '  inline: always<',
          `  batch: always<object>(() =>
    onUse({ kind: 'executor', id: 'batch', wants: ['expander'] }, async () =>
      (await import('@skills/executor-batch')).batchExecutor(),
    ),
  ),
  inline: always<`,
        ],
      ],
    },
  },
  {
    recipe: 'A shell',
    name: 'node',
    files: {
      'packages/core/src/command-words.ts': [['  bash: true\n', '  bash: true\n  node: true\n']],
      'packages/core/src/fields/field-table.ts': [
        ["choices: { bash: 'bash', ", "choices: { bash: 'bash', node: 'node', "],
      ],
      'packages/expansion/src/shell/shells.ts': [
        [
          "  ['powershell', powershell],\n",
          `  ['powershell', powershell],
  [
    'node',
    {
      tool: 'Node',
      quotings: (_script, references) => ({
        quotings: references.map(() => 'literal' as const),
        lastCommand: 0,
      }),
      variable: name => \`process.env.\${name}\`,
      call: script => ({ program: process.execPath, args: ['-e', script] }),
    },
  ],
`,
        ],
      ],
    },
  },
  {
    recipe: 'A strategy',
    name: 'names',
    files: {
      'plugins/formatter-budget/src/names.ts': source(`
import { oneLine, type Strategy } from '@skills/invocation/skill-tool'

/** Names alone. */
export function names(): Strategy {
  return {
    order: entries => entries,
    lay(ordered) {
      const entries = ordered.map(({ name }) => ({ name, text: \`* \${oneLine(name)}\`, shown: 'name' as const }))
      return {
        text: entries.map(({ text }) => text).join('\\n'),
        entries,
        omitted: [],
        truncated: entries.map(({ name }) => name),
      }
    },
  }
}`),
      'plugins/formatter-budget/src/strategy-options.ts': [
        ['  grouped: {', "  names: { strategy: s.oneOf('names').required().inFiles() },\n  grouped: {"],
      ],
      'plugins/formatter-budget/src/budget-formatter.ts': [
        ["    case 'fair':\n", "    case 'names':\n      return names()\n    case 'fair':\n"],
        [
          'import { fair, type FairOptions } from',
          "import { names } from './names.js'\nimport { fair, type FairOptions } from",
        ],
      ],
      'packages/cli/src/commands/listing/run.ts': [['  fair: true,\n', '  fair: true,\n  names: true,\n']],
      'packages/cli/src/commands/listing/command.ts': [['fixed, xml', 'fixed, names, xml']],
    },
  },
  {
    recipe: 'An option of a plugin',
    name: 'source-user',
    files: {
      'plugins/source-user/src/index.ts': [
        [
          '  /** Lower first',
          '  /** Folders in the home folder that are passed over. */\n  without: s.list(s.text()).default([]),\n  /** Lower first',
        ],
        ['const { folders, layout,', 'const { folders, layout, without,'],
        [
          'rootsOf(configDir ? host : withoutConfigDir(host), folders, layout) })',
          'rootsOf(configDir ? host : withoutConfigDir(host), folders, layout).filter(({ path }) => !without.some(name => path.includes(`/${name}/`))) })',
        ],
      ],
    },
  },
  {
    recipe: 'A distribution',
    name: 'bare',
    files: {
      'packages/distributions/src/agents/bare/index.ts': source(`
import { defineDistribution } from '../../define-distribution.js'

/** The project's skills alone, which lie in \`.bare\`. */
export const bare = defineDistribution({
  name: 'bare',
  says: 'the folder .bare',
  precedence: ['project'],
  plugins: [['project', { folders: [{ name: '.bare' }, { name: '.claude' }] }]],
})`),
    },
  },
  {
    recipe: 'A command of the command line',
    name: 'count',
    files: {
      'packages/cli/src/commands/count/command.ts': source(`
import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  text: 'Say how many skills of yours there are',
  options: { '--source <name>': 'Count those of this source; user unless given', ...json },
})`),
      'packages/cli/src/commands/count/run.ts': source(`
import { withEngine } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** Counts the skills of the user. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  return withEngine(invocation, io, async ({ skills }) => {
    const { entries } = await skills.catalog({ signal: io.signal })
    const { length } = entries.filter(({ command }) => command.source === (invocation.text('--source') ?? 'user'))
    if (invocation.json) writeJson(length, io.stdout)
    else io.stdout.write(\`\${length}\\n\`)
    return exitCodes.ok
  })
}`),
    },
  },
  {
    recipe: 'A flag of the command line',
    name: 'list',
    files: {
      'packages/cli/src/commands/list/command.ts': [
        ["    '--source <name>': 'Only", "    '--names': 'Their names alone',\n    '--source <name>': 'Only"],
      ],
      'packages/cli/src/commands/list/run.ts': [
        [
          '    } else {\n',
          "    } else if (invocation.has('--names')) {\n      for (const { name } of listed) io.stdout.write(`${name}\\n`)\n    } else {\n",
        ],
      ],
    },
  },
  {
    recipe: 'A permission rule',
    name: 'end',
    files: {
      'packages/rules/src/rule.ts': [
        ["'words' | 'start'; readonly text", "'words' | 'start' | 'end'; readonly text"],
        [
          '  const isLast = stars.length',
          "  if (stars.length === 1 && star === 0 && !isShell(tool)) return { content: { kind: 'end', text: text.slice(1) } }\n  const isLast = stars.length",
        ],
      ],
      'packages/rules/src/rule-set.ts': [
        [
          "      case 'pattern':\n        this",
          "      case 'end':\n        this.#patterns.push({ ...found, rule: { ...found.rule, content: { kind: 'pattern', text: `*${text}` } } })\n        break\n      case 'pattern':\n        this",
        ],
      ],
    },
  },
  {
    recipe: 'A code of a diagnostic',
    name: 'body-shouts',
    files: {
      'packages/inspect/src/check-body.ts': [
        [
          '  if (body.trim() ===',
          "  if (body.includes('!!!')) warn('body-shouts', bodyLine, 'The body shouts.', 'Write one exclamation mark.')\n  if (body.trim() ===",
        ],
      ],
      'packages/inspect/diagnostic-codes.json': [
        ['{\n', '{\n  "body-shouts": "a text has three exclamation marks in a row",\n'],
      ],
    },
  },
  {
    recipe: 'A code of an error',
    name: 'E_QUOTA',
    files: {
      'packages/core/src/error.ts': [['  E_SHELL:', "  E_QUOTA: 'a quota is used up',\n  E_SHELL:"]],
      'packages/core/src/error.test.ts': [["    'E_SHELL',\n", "    'E_QUOTA',\n    'E_SHELL',\n"]],
    },
  },
  {
    recipe: 'A framework adapter',
    name: 'plain-loop',
    files: {
      'plugins/plain-loop/package.json': packageOf('plain-loop'),
      'plugins/plain-loop/src/index.ts': source(`
import type { AgentSession } from '@skills/host/session'

interface Call {
  readonly tool: string
  readonly input: unknown
}

/** A framework whose model is a function of what it was told. */
export async function plainLoop(session: AgentSession, model: (told: readonly string[]) => string | Call, line: string) {
  const told = [await session.system(), (await session.send(line)).text]
  for (;;) {
    const said = model(told)
    if (typeof said === 'string') {
      session.endTurn()
      return said
    }
    const tool = session.tools().find(({ name }) => name === said.tool)
    told.push((await tool?.execute(said.input))?.text ?? 'There is no such tool.')
  }
}`),
      'packages/config/rooms.mjs': [
        [
          "  'plugins/langchain': {\n",
          "  'plugins/plain-loop': { imports: [...libraries, 'packages/host'] },\n  'plugins/langchain': {\n",
        ],
      ],
    },
  },
  {
    recipe: 'A run engine',
    name: 'memory',
    files: {
      'plugins/runs-memory/package.json': packageOf('runs-memory'),
      'plugins/runs-memory/src/index.ts': source(`
import { defineProvider, type Provider } from '@skills/core'
import { LoggedRuns, openRunKeys, type RunLogs } from '@skills/runs'

/** Journals that are gone with the process. */
export function memoryLogs(): RunLogs {
  const journals = new Map<string, readonly string[]>()
  const watching = new Set<() => void>()
  return {
    append(id, count, lines) {
      const known = journals.get(id) ?? []
      if (known.length !== count) return false
      journals.set(id, [...known, ...lines])
      for (const changed of watching) changed()
      return true
    },
    read: (id, from = 0) => journals.get(id)?.slice(from) ?? [],
    ids: () => [...journals.keys()],
    remove: (id, count) => journals.get(id)?.length === count && journals.delete(id),
    watch(_id, changed) {
      watching.add(changed)
      return () => void watching.delete(changed)
    },
  }
}

export function memoryRuns(logs: RunLogs, folder: string): Provider<'runs'> {
  return defineProvider({
    kind: 'runs',
    id: 'memory',
    contract: 1,
    setup: ({ host }) =>
      new LoggedRuns({
        logs,
        keys: openRunKeys(host, { folder }),
        place: 'here',
        clock: host.clock,
        holder: () => ({ name: 'here' }),
        isGone: () => false,
      }),
  })
}`),
    },
  },
  {
    recipe: 'A view of the page',
    name: 'count',
    files: {
      'packages/ui/page/count-view.tsx': source(`
import { useAnswer } from './ask.js'
import { Waiting } from './parts.js'

/** How many skills have a run. */
export function Count() {
  const { value, problem } = useAnswer('runs', {})
  return value === undefined ? <Waiting problem={problem} what="Counting" /> : <p>{value.length}</p>
}`),
      'packages/ui/page/app.tsx': [
        [
          "import { Budget } from './budget-view.js'\n",
          "import { Budget } from './budget-view.js'\nimport { Count } from './count-view.js'\n",
        ],
        [
          "  agents: { title: 'Agents',",
          "  count: { title: 'How many', show: () => <Count /> },\n  agents: { title: 'Agents',",
        ],
      ],
    },
  },
  {
    recipe: 'An MCP tool',
    name: 'count',
    files: {
      'packages/invocation/src/skill-tool/count-tool.ts': source(`
import type { EnginePort } from './engine-port.js'
import type { ModelTool } from './model-tools.js'

/** Says how many skills there are. */
export function countTool(engine: EnginePort): ModelTool {
  const description = 'Says how many skills there are.'
  return {
    name: 'SkillCount',
    description,
    inputSchema: { type: 'object', properties: {} },
    isReadOnly: true,
    describe: async () => description,
    permission: async () => ({ behavior: 'allow', message: 'It only counts.', decisionReason: { type: 'safe' } }),
    async answer() {
      const text = String((await engine.catalog()).entries.length)
      return { text, content: [{ type: 'text', text }], isError: false }
    },
  }
}`),
      'packages/invocation/src/skill-tool/model-tools.ts': [
        ['import { searchTool,', "import { countTool } from './count-tool.js'\nimport { searchTool,"],
        ['[searching(search)])]', '[searching(search)]), countTool(engine)]'],
      ],
    },
  },
  {
    recipe: 'An eval assertion',
    name: 'lacks',
    files: {
      'packages/evals/src/cases/assertion-kinds.ts': [
        [
          'export const textKinds = {\n',
          "export const textKinds = {\n  lacks: { ...text, says: (part: string, whose: string) => whose + ' lacks ' + part },\n",
        ],
      ],
      'packages/evals/src/assertions.ts': [
        [
          '  contains: (text, part)',
          "  lacks: (text, part) => (text.includes(part) ? 'It has that text.' : undefined),\n  contains: (text, part)",
        ],
      ],
    },
  },
  {
    recipe: 'A package',
    name: 'counting',
    files: {
      'packages/counting/package.json': packageOf('counting'),
      'packages/counting/src/index.ts': source(`
import type { Catalog } from '@skills/core'

/** How many skills of each source there are. */
export function countedBySource({ entries }: Catalog): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { command } of entries) counts.set(command.source, (counts.get(command.source) ?? 0) + 1)
  return counts
}`),
      'packages/config/rooms.mjs': [
        ["  'packages/store': {", "  'packages/counting': { imports: ['packages/core'] },\n  'packages/store': {"],
      ],
    },
  },
]
