import { findProjectFolders, IgnoreRules, LocalStore } from '@skills/files'
import type { AskOptions } from '@skills/core'
import type { GivenSkill } from '@skills/invocation/internal'
import type { Row } from '../../define-distribution.js'

/** Number of files that OpenCode names beside a skill. */
const mostFiles = 10
/** Most folders that are searched for these files. */
const mostFolders = 200

const neverListed: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/**
 * Text of a body: nothing in it runs or is read. If a person types arguments, the references to them are replaced, as
 * in OpenCode, which then also runs embedded commands. The folder stands behind the body.
 */
export const untouchedText: readonly Row[] = [
  [
    'text',
    {
      header: false,
      footer: ({ baseDir = '' }) =>
        `Base directory for this skill: ${baseDir}\nRelative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.`,
      numbering: 'one',
      prices: false,
      names: false,
      braces: false,
      emptyArguments: 'keep',
      variables: 'none',
      baseDirBraces: false,
      escapes: 'none',
    },
  ],
]

/** Returns the result of the tool: the text of a skill between tags, with the first files of its folder. */
export async function skillContent({ entry, text }: GivenSkill, { signal }: AskOptions): Promise<string> {
  const { name, command } = entry
  const folder = command.type === 'prompt' ? command.baseDir : undefined
  const files = folder === undefined ? [] : await filesIn(folder, signal ?? new AbortController().signal)
  return [
    `<skill_content name="${name}">`,
    `# Skill: ${name}`,
    '',
    text,
    'Note: file list is sampled.',
    '',
    '<skill_files>',
    files.map(path => `<file>${path}</file>`).join('\n'),
    '</skill_files>',
    '</skill_content>',
  ].join('\n')
}

/**
 * Returns the first files of a folder in code unit order, those of the folder itself before deeper ones. Files that are
 * called SKILL.md, ignored files and links are left out. OpenCode takes any ten of the same files.
 */
async function filesIn(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const store = new LocalStore()
  const rules = IgnoreRules.under(findProjectFolders({ cwd: folder, home: '', uid: undefined }).top)
  // The files of a skill count even if its repository ignores all its skills.
  const isIgnored = rules.ignores(`${folder}/`) ? () => false : (path: string) => rules.ignores(path)
  const found: string[] = []
  const folders = [folder]
  for (const [at, path] of folders.entries()) {
    if (at === mostFolders || found.length >= mostFiles) break
    const entries = await store.list(path, { signal })
    if (entries === undefined) continue
    const listed = (names: Iterable<string>, end = ''): readonly string[] =>
      [...names]
        .filter(name => !neverListed.has(name))
        .sort()
        .map(name => `${path}/${name}`)
        .filter(one => !isIgnored(`${one}${end}`))
    found.push(...listed(entries.files).filter(one => !one.endsWith('/SKILL.md')))
    folders.push(...listed(entries.folders, '/'))
  }
  return found.slice(0, mostFiles)
}
