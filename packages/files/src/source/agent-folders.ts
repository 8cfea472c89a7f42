import type { SkillRoot } from './layout.js'

/** What the folder of one agent keeps, such as `.claude` of a home or a project. */
export interface AgentFolder {
  /** Its name: `.claude`. */
  readonly name: string
  /** Folders in it that hold skills, highest first. Default: `skills`. */
  readonly skills?: readonly string[]
  /** Folders in it that hold legacy commands. Default: none. */
  readonly commands?: readonly string[]
  /** Whether `agents/openai.yaml` beside a skill is read. Default: no. */
  readonly hasSidecars?: boolean
}

/** The folders of agents whose names say what they keep; of any other, `skills` is read. */
export const agentFolders: readonly AgentFolder[] = [
  { name: '.claude', commands: ['commands'] },
  { name: '.agents', hasSidecars: true },
  { name: '.codex', hasSidecars: true },
  { name: '.github' },
  { name: '.opencode', skills: ['skill', 'skills'] },
]

/**
 * What is read of a folder that is given by its name; a record says so itself. See
 * docs/reference/folders.md, "Agent folders".
 */
export function agentFolder(given: string | AgentFolder): AgentFolder {
  return typeof given === 'string' ? (agentFolders.find(({ name }) => name === given) ?? { name: given }) : given
}

/**
 * The roots in one place, skills first: a skill wins over a legacy command of its name.
 * See docs/reference/folders.md, "Agent folders".
 * @param base gives the absolute path of a folder; undefined where there is none
 * @param rest what all these roots have in common
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
