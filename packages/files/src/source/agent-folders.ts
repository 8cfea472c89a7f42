import type { SkillRoot } from './layout.js'

/** Folder of one agent, such as `.claude` in a home or a project. */
export interface AgentFolder {
  /** Name of the folder, such as `.claude`. */
  readonly name: string
  /** Folders in it that hold skills, highest precedence first. Default: `skills`. */
  readonly skills?: readonly string[]
  /** Folders in it that hold legacy commands. Default: none. */
  readonly commands?: readonly string[]
  /** True if `agents/openai.yaml` beside a skill is read. Default: false. */
  readonly hasSidecars?: boolean
}

/** Folders of known agents. In a folder of any other name only `skills` is read. */
export const agentFolders: readonly AgentFolder[] = [
  { name: '.claude', commands: ['commands'] },
  { name: '.agents', hasSidecars: true },
  { name: '.codex', hasSidecars: true },
  { name: '.github' },
  { name: '.opencode', skills: ['skill', 'skills'] },
]

/**
 * Returns the record for a folder that is given by its name; a given record is returned unchanged. See
 * docs/reference/folders.md, "Agent folders".
 */
export function agentFolder(given: string | AgentFolder): AgentFolder {
  return typeof given === 'string' ? (agentFolders.find(({ name }) => name === given) ?? { name: given }) : given
}

/**
 * Returns the roots in one place, skills first: a skill has precedence over a legacy command of the same name. See
 * docs/reference/folders.md, "Agent folders".
 * @param base returns the absolute path of a folder, or undefined if there is none
 * @param rest fields that all these roots share
 */
export function rootsIn(
  folders: readonly (string | AgentFolder)[],
  base: (folder: string) => string | undefined,
  rest: Omit<SkillRoot, 'path'> = {},
): readonly SkillRoot[] {
  const found = folders.map(agentFolder).flatMap(folder => {
    const path = base(folder.name)
    return path === undefined ? [] : [{ ...folder, path }]
  })
  return [
    ...found.flatMap(({ path, skills = ['skills'], hasSidecars = false }) =>
      skills.map(name => ({ ...rest, path: `${path}/${name}`, hasSidecars })),
    ),
    ...found.flatMap(({ path, commands = [] }) =>
      commands.map(name => ({
        ...rest,
        path: `${path}/${name}`,
        layout: { ...rest.layout, holds: 'commands' as const },
      })),
    ),
  ]
}
