// Made by `node scripts/agents.mjs --write` of the folders beside it.
import type { MakeDistribution } from '../distribution.js'

/** Every distribution by its name, loaded when it is asked for. */
export const agents = {
  standard: async (): Promise<MakeDistribution> => (await import('./standard/index.js')).standard,
  'claude-code': async (): Promise<MakeDistribution> => (await import('./claude-code/index.js')).claudeCode,
  'claude-code-2026q1': async (): Promise<MakeDistribution> =>
    (await import('./claude-code-2026q1/index.js')).claudeCode2026q1,
  'claude-code-classic': async (): Promise<MakeDistribution> =>
    (await import('./claude-code-classic/index.js')).claudeCodeClassic,
  opencode: async (): Promise<MakeDistribution> => (await import('./opencode/index.js')).opencode,
  'opencode-classic': async (): Promise<MakeDistribution> =>
    (await import('./opencode-classic/index.js')).opencodeClassic,
  codex: async (): Promise<MakeDistribution> => (await import('./codex/index.js')).codex,
  'gemini-cli': async (): Promise<MakeDistribution> => (await import('./gemini-cli/index.js')).geminiCli,
  pi: async (): Promise<MakeDistribution> => (await import('./pi/index.js')).pi,
  openskills: async (): Promise<MakeDistribution> => (await import('./openskills/index.js')).openskills,
  'vercel-skills': async (): Promise<MakeDistribution> => (await import('./vercel-skills/index.js')).vercelSkills,
  mini: async (): Promise<MakeDistribution> => (await import('./mini/index.js')).mini,
  cocode: async (): Promise<MakeDistribution> => (await import('./cocode/index.js')).cocode,
}
