import type { Traces } from './distribution.js'

/** Agent of which only the folders of skills are known, from documents. */
export interface PlacedAgent {
  /** Name of the program. */
  readonly program: string
  /** Folders that hold folders of skills, relative to the root of a project, highest precedence first. */
  readonly project: readonly string[]
  /** The same in the home folder. */
  readonly home: readonly string[]
  readonly traces: Traces
  /** Documents that name these folders. */
  readonly from: readonly string[]
  /** Day on which they were read, such as `2026-11-26`. */
  readonly on: string
}

const table = "the table of agents in npm's `skills` 1.7.4"
const on = '2026-11-26'

/**
 * Agents by name that were never run: their folders are from documents. What they tell their models, and how they read
 * the frontmatter, is unknown.
 */
export const placedAgents = {
  cursor: {
    program: 'Cursor',
    project: ['.cursor/skills', '.agents/skills'],
    home: ['.cursor/skills', '.agents/skills'],
    traces: { programs: ['cursor', 'cursor-agent'], home: ['.cursor'], project: ['.cursor', '.cursorrules'] },
    from: ['https://cursor.com/docs/context/skills', table],
    on,
  },
  windsurf: {
    program: 'Windsurf',
    project: ['.windsurf/skills', '.agents/skills'],
    home: ['.codeium/windsurf/skills', '.agents/skills'],
    traces: { programs: ['windsurf'], home: ['.codeium/windsurf'], project: ['.windsurf', '.windsurfrules'] },
    from: ['https://docs.windsurf.com/windsurf/cascade/skills', table],
    on,
  },
  kiro: {
    program: 'Kiro',
    project: ['.kiro/skills'],
    home: ['.kiro/skills'],
    traces: { programs: ['kiro', 'kiro-cli'], home: ['.kiro'], project: ['.kiro'] },
    from: [table],
    on,
  },
  amp: {
    program: 'Amp',
    project: ['.agents/skills'],
    home: ['.config/agents/skills'],
    traces: { programs: ['amp'], home: ['.config/amp'], project: [] },
    from: [table],
    on,
  },
  'vs-code': {
    program: 'VS Code',
    project: ['.github/skills', '.claude/skills', '.agents/skills'],
    home: ['.copilot/skills', '.claude/skills', '.agents/skills'],
    traces: { programs: ['code'], home: ['.vscode'], project: ['.vscode/settings.json', '.vscode/mcp.json'] },
    from: ['https://code.visualstudio.com/docs/agent-customization/agent-skills', table],
    on,
  },
} as const satisfies Readonly<Record<string, PlacedAgent>>

export type PlacedName = keyof typeof placedAgents

export const placedNames: readonly PlacedName[] = Object.keys(placedAgents).filter(isPlaced)

export function isPlaced(name: string): name is PlacedName {
  return Object.hasOwn(placedAgents, name)
}
