// @ts-check

/**
 * @typedef {object} Room
 * @property {readonly string[]} imports folders whose packages its sources may import; `plugins/*` stands for every
 * plugin
 * @property {readonly string[]} [testImports] folders that its tests may import besides
 * @property {boolean | readonly string[]} [startsProcesses] whether its sources may use `node:child_process`; the
 *   sub-paths whose sources may, where the others must stay free of it
 * @property {boolean} [bringsCore] whether it depends on core outright; everyone else leaves the choice of core's copy
 * to
 *   the user's installation, so that one engine never runs on two kernels
 * @property {readonly string[]} [builtIn] libraries whose code is built into it, with all that these bring along, and
 *   packages of ours that are not published
 */

/** Libraries that any plugin may import. A library that two plugins need is added here. */
const libraries = [
  'packages/core',
  'packages/skill-md',
  'packages/store',
  'packages/files',
  'packages/rules',
  'packages/expansion',
  'packages/invocation',
  'packages/state',
  'packages/runs',
]

/**
 * Imports that are allowed between folders. Lint's boundary rules are generated from this table, and a test checks the
 * built packages against it. A key is a workspace folder, or `<parent>/*` for all folders there.
 * @type {Readonly<Record<string, Room>>}
 */
export const rooms = {
  'packages/config': { imports: [] },
  // The sources of its documents are tested with the suite of every source.
  'packages/core': { imports: [], testImports: ['packages/testing'] },
  'packages/skill-md': { imports: ['packages/core'], testImports: ['packages/testing'] },
  'packages/store': {
    imports: ['packages/core', 'packages/process-group', 'packages/state'],
    testImports: ['packages/files', 'packages/testing'],
    startsProcesses: ['git'],
    builtIn: ['@skills/process-group'],
  },
  'packages/files': {
    imports: ['packages/core', 'packages/skill-md', 'packages/state', 'packages/store'],
    testImports: ['packages/testing'],
    builtIn: ['jsonc-parser'],
  },
  'packages/state': { imports: ['packages/core'], testImports: ['packages/testing'] },
  'packages/process-group': { imports: [], testImports: ['packages/testing'], startsProcesses: true },
  // Rules about files are checked against the existing files.
  'packages/rules': {
    imports: ['packages/core', 'packages/files'],
    testImports: ['packages/testing'],
    builtIn: ['unbash'],
  },
  'packages/expansion': {
    imports: ['packages/core', 'packages/files', 'packages/process-group', 'packages/rules'],
    testImports: ['packages/invocation', 'packages/testing'],
    startsProcesses: ['shell'],
    builtIn: ['@skills/process-group', 'unbash'],
  },
  'packages/invocation': {
    imports: ['packages/core', 'packages/rules', 'packages/state'],
    testImports: ['packages/files', 'packages/testing'],
    builtIn: ['zod'],
  },
  'packages/runs': {
    imports: ['packages/core', 'packages/invocation', 'packages/rules', 'packages/state'],
    testImports: ['packages/testing'],
    builtIn: ['zod'],
  },
  'packages/inspect': { imports: libraries, testImports: ['packages/testing'] },
  // Node has no other way to make a named pipe. Invocation supplies the types of the kinds. The packages below use
  // testing in their tests, so it does not name them in its package.json, which would be a cycle.
  'packages/testing': {
    imports: [
      'packages/core',
      'packages/expansion',
      'packages/invocation',
      'packages/rules',
      'packages/runs',
      'packages/store',
    ],
    startsProcesses: true,
  },
  'packages/distributions': {
    imports: [...libraries, 'plugins/*'],
    testImports: ['packages/testing', 'packages/inspect'],
    bringsCore: true,
    builtIn: ['json5', 'smol-toml'],
  },
  // The front door: the object that a host opens.
  'packages/host': {
    imports: ['packages/core', 'packages/distributions', 'packages/invocation', 'packages/rules', 'packages/runs'],
    testImports: [...libraries, 'packages/testing'],
    bringsCore: true,
  },
  // It asks git for the content of a repository.
  'packages/install': {
    imports: [...libraries, 'packages/distributions', 'packages/inspect', 'packages/process-group'],
    testImports: ['packages/testing'],
    startsProcesses: true,
    bringsCore: true,
    builtIn: ['@skills/process-group'],
  },
  // It reads sources of skills as they are installed.
  'packages/registry': {
    imports: [
      'packages/core',
      'packages/files',
      'packages/install',
      'packages/invocation',
      'packages/skill-md',
      'packages/state',
      'packages/store',
    ],
    testImports: ['packages/distributions', 'packages/host', 'packages/testing'],
  },
  // Its caller supplies engines, models and agents.
  'packages/evals': {
    imports: [
      'packages/core',
      'packages/expansion',
      'packages/files',
      'packages/host',
      'packages/inspect',
      'packages/invocation',
      'packages/process-group',
      'packages/rules',
      'packages/skill-md',
      'packages/state',
    ],
    testImports: ['packages/distributions', 'packages/testing'],
    builtIn: ['@skills/process-group'],
    startsProcesses: true,
  },
  // Code of `skills new` and `skills plugin`: built into the program and published only with it.
  'packages/authoring': {
    imports: [
      'packages/core',
      'packages/distributions',
      'packages/evals',
      'packages/files',
      'packages/inspect',
      'packages/invocation',
      'packages/skill-md',
      'packages/state',
    ],
    testImports: ['packages/testing'],
    // npm packs.
    startsProcesses: true,
  },
  // A host of an engine, like the program. Its caller composes the engine.
  'packages/mcp-server': {
    imports: ['packages/core', 'packages/files', 'packages/invocation', 'packages/rules'],
    testImports: ['packages/distributions', 'packages/expansion', 'packages/testing'],
  },
  // A host of an engine, too. Its caller supplies the answers or an engine, and its page is built separately.
  'packages/ui': {
    imports: [
      'packages/core',
      'packages/distributions',
      'packages/evals',
      'packages/files',
      'packages/host',
      'packages/inspect',
      'packages/invocation',
      'packages/runs',
      'packages/state',
    ],
    testImports: ['packages/testing'],
  },
  'packages/cli': {
    imports: [
      'packages/authoring',
      'packages/core',
      'packages/distributions',
      'packages/evals',
      'packages/expansion',
      'packages/files',
      'packages/host',
      'packages/inspect',
      'packages/install',
      'packages/invocation',
      'packages/mcp-server',
      'packages/registry',
      'packages/rules',
      'packages/runs',
      'packages/state',
      'packages/ui',
      'plugins/runs-queue',
    ],
    testImports: ['packages/testing'],
    startsProcesses: true,
    bringsCore: true,
  },
  'plugins/*': { imports: libraries, testImports: ['packages/testing'] },
  // Adapters of frameworks use the sessions of the front door, and are tested with whole engines.
  'plugins/ai-sdk': {
    imports: [...libraries, 'packages/host'],
    testImports: ['packages/testing', 'packages/distributions'],
    builtIn: ['zod'],
  },
  'plugins/langchain': {
    imports: [...libraries, 'packages/host'],
    testImports: ['packages/testing', 'packages/distributions'],
  },
  'plugins/openai-agents': {
    imports: [...libraries, 'packages/host'],
    testImports: ['packages/testing', 'packages/distributions'],
  },
  'plugins/runner-ai-sdk': { imports: [...libraries, 'packages/host'], testImports: ['packages/testing'] },
  // If two rules apply, lint takes the last one.
  'plugins/hooks-command': {
    imports: [...libraries, 'packages/process-group'],
    testImports: ['packages/testing'],
    startsProcesses: true,
    builtIn: ['@skills/process-group'],
  },
  'plugins/runner-process': {
    imports: [...libraries, 'packages/process-group'],
    testImports: ['packages/testing'],
    startsProcesses: true,
    builtIn: ['@skills/process-group'],
  },
  'plugins/source-managed': { imports: libraries, testImports: ['packages/testing'], builtIn: ['zod'] },
  'plugins/source-plugin': { imports: libraries, testImports: ['packages/testing'], builtIn: ['zod'] },
  'plugins/source-mcp': {
    imports: [...libraries, 'packages/process-group'],
    testImports: ['packages/testing'],
    startsProcesses: true,
    builtIn: ['@skills/process-group'],
  },
  'plugins/runs-queue': { imports: libraries, testImports: ['packages/testing'] },
  // Examples import published packages by their published names, as a reader would.
  'examples/*': {
    imports: [
      ...libraries,
      'packages/cli',
      'packages/distributions',
      'packages/host',
      'packages/inspect',
      'packages/testing',
      'plugins/*',
    ],
    startsProcesses: true,
    bringsCore: true,
  },
}

/**
 * Libraries that only one folder may import. Other folders use that folder, so that replacing a library changes one
 * place.
 * @type {Readonly<Record<string, string>>}
 */
export const libraryOwners = {
  '@npmcli/agent': 'packages/install',
  '@photostructure/sqlite': 'packages/registry',
  bullmq: 'plugins/runs-queue',
  cacache: 'packages/install',
  diff: 'packages/install',
  'js-yaml': 'packages/skill-md',
  hookable: 'packages/core',
  ioredis: 'plugins/runs-queue',
  json5: 'packages/distributions',
  stemmer: 'packages/invocation',
  pacote: 'packages/install',
  semver: 'packages/install',
  'smol-toml': 'packages/distributions',
  tinyglobby: 'packages/files',
  'validate-npm-package-name': 'packages/install',
  yauzl: 'packages/store',
}

/**
 * Returns the room of a folder.
 * @param {string} folder workspace folder, such as `plugins/source-user`
 * @returns {Room | undefined}
 */
export function roomOf(folder) {
  return rooms[folder] ?? rooms[folder.replace(/[^/]+$/, '*')]
}

/**
 * True if a folder is among the allowed ones.
 * @param {readonly string[]} allowed folders, as in {@link Room.imports}
 * @param {string} folder a workspace folder
 */
export function includesFolder(allowed, folder) {
  return allowed.includes(folder) || allowed.includes(folder.replace(/[^/]+$/, '*'))
}

/**
 * Returns the sub-paths that may start processes in a room whose other sources may not.
 * @param {Room} room
 * @returns {readonly string[]}
 */
export function startingParts({ startsProcesses = [] }) {
  return typeof startsProcesses === 'boolean' ? [] : startsProcesses
}
