// Made by `node scripts/agents.mjs --write` of the folders beside it.
import type { MakeDistribution } from '../distribution.js'

/** Every distribution by its name, loaded when it is asked for. */
export const agents = {
  standard: { load: async (): Promise<MakeDistribution> => (await import('./standard/index.js')).standard },
  'claude-code': {
    checked: { program: 'Claude Code', version: '2.1.330', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./claude-code/index.js')).claudeCode,
  },
  'claude-code-2026q1': {
    load: async (): Promise<MakeDistribution> => (await import('./claude-code-2026q1/index.js')).claudeCode2026q1,
  },
  'claude-code-classic': {
    load: async (): Promise<MakeDistribution> => (await import('./claude-code-classic/index.js')).claudeCodeClassic,
  },
  opencode: {
    checked: { program: 'OpenCode', version: '1.18.33', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./opencode/index.js')).opencode,
  },
  'opencode-classic': {
    load: async (): Promise<MakeDistribution> => (await import('./opencode-classic/index.js')).opencodeClassic,
  },
  codex: {
    checked: { program: 'Codex', version: '0.169.0', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./codex/index.js')).codex,
  },
  'gemini-cli': {
    checked: { program: 'Gemini CLI', version: '0.61.0', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./gemini-cli/index.js')).geminiCli,
  },
  pi: {
    checked: { program: 'pi', version: '0.87.1', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./pi/index.js')).pi,
  },
  openskills: {
    checked: { program: 'openskills', version: '1.5.0', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./openskills/index.js')).openskills,
  },
  'vercel-skills': {
    checked: { program: 'skills', version: '1.7.4', on: '2026-11-22' },
    load: async (): Promise<MakeDistribution> => (await import('./vercel-skills/index.js')).vercelSkills,
  },
  mini: { load: async (): Promise<MakeDistribution> => (await import('./mini/index.js')).mini },
  cocode: { load: async (): Promise<MakeDistribution> => (await import('./cocode/index.js')).cocode },
} as const
