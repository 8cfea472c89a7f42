import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { exportedSources, workspacePackages, type WorkspacePackage } from '../workspace.mjs'

/** Places that make errors of other classes, by what happens to them. None of them reaches a caller of the package. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'an error of the system, as the system makes it': [
    'packages/files/src/almost-skills.ts',
    'packages/files/src/walk.ts',
    'packages/state/src/writer/open-folder.ts',
    'packages/state/src/writer/root.ts',
    'packages/store/src/tree-store.ts',
  ],
  'the source, the store or the run that catches it says it in an error of its own': [
    'packages/core/src/explain.ts',
    'packages/core/src/large-sources.ts',
    'packages/core/src/loader.ts',
    'packages/distributions/src/agents/openclaw/settings.ts',
    'packages/runs/src/journal-text.ts',
    'packages/skill-md/src/yaml/aliases.ts',
    'packages/skill-md/src/yaml/warnings.ts',
    'packages/store/src/archive/tar.ts',
    'packages/store/src/archive/zip.ts',
    'packages/store/src/http/requests.ts',
    'plugins/ai-sdk/src/chat-request.ts',
    'plugins/executor-fork/src/fork.ts',
    'plugins/runs-queue/src/postgres-server.ts',
    'plugins/runs-queue/src/redis-server.ts',
    'plugins/source-mcp/src/commands.ts',
    'plugins/source-mcp/src/connection.ts',
    'plugins/source-mcp/src/process-transport.ts',
    'plugins/source-mcp/src/read-offers.ts',
    'plugins/source-mcp/src/same-origin-fetch.ts',
  ],
  'a tool that fails: a model reads the message': [
    'packages/evals/src/workspace.ts',
    'plugins/ai-sdk/src/skill-tools.ts',
    'plugins/openai-agents/src/index.ts',
    'plugins/runner-ai-sdk/src/tool-calls.ts',
    'plugins/runner-ai-sdk/src/turn-tools.ts',
  ],
  'what a protocol or a stream ends with': [
    'packages/evals/src/recordings.ts',
    'packages/evals/src/spending.ts',
    'packages/mcp-server/src/message-lines.ts',
    'packages/mcp-server/src/skills-server.ts',
    'plugins/runner-ai-sdk/src/heard-model.ts',
    'plugins/runner-ai-sdk/src/run-agent.ts',
  ],
  'a fault of our own': [
    'packages/inspect/src/audit-skill.ts',
    'packages/inspect/src/check-file.ts',
    'packages/inspect/src/compat/facets.ts',
    'packages/inspect/src/requirements.ts',
    'packages/ui/src/page-files.ts',
    'packages/ui/src/reading/tree.ts',
  ],
}

/** Packages without this rule: the program prints errors, the suites belong to tests, and core defines the class. */
const exempt = ['packages/cli', 'packages/testing']
const published = workspacePackages().filter(
  ({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private && !exempt.includes(folder),
)

test('every error that is made is a SkillsError, or is named here with what becomes of it', () => {
  const allowed = Object.values(elsewhere).flat()
  const found = published.flatMap(room =>
    sourcesOf(room)
      .filter(file => makesOther(path.join(room.directory, file)))
      .map(file => `${room.folder}/${file}`),
  )
  expect(found.filter(file => !allowed.includes(file))).toEqual([])
  expect(allowed.filter(file => !found.includes(file))).toEqual([])
})

test.each(published)('$manifest.name exports no error class that is not recognised by its brand', async room => {
  for (const { source } of exportedSources(room.manifest)) {
    const exported: Readonly<Record<string, unknown>> = await import(
      pathToFileURL(path.join(room.directory, source)).href
    )
    const unbranded = Object.entries(exported).filter(([, value]) => isErrorClass(value) && !('is' in value))
    expect(
      unbranded.map(([name]) => name),
      source,
    ).toEqual([])
  }
})

function sourcesOf({ directory }: WorkspacePackage): readonly string[] {
  return readdirSync(path.join(directory, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.(?:test|test-d|d)\.ts$/.test(file))
    .map(file => `src/${file.replaceAll('\\', '/')}`)
}

/** Returns true if a file makes errors of other classes. An AbortError is the platform's. */
function makesOther(file: string): boolean {
  let isFound = false
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && /^(?:Error|TypeError|RangeError)$/.test(node.expression.getText(source)))
      isFound ||= !/name: 'AbortError'/.test(node.parent.getText(source))
    if (ts.isClassLike(node))
      isFound ||=
        node.heritageClauses?.some(({ types }) =>
          types.some(one => one.expression.getText(source).endsWith('Error')),
        ) === true && node.name?.text !== 'SkillsError'
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  visit(source)
  return isFound
}

function isErrorClass(value: unknown): value is object {
  return typeof value === 'function' && value.prototype instanceof Error
}
