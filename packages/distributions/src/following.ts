import { claudeCode } from './agents/claude-code/index.js'
import { codex } from './agents/codex/index.js'
import { geminiCli } from './agents/gemini-cli/index.js'
import { openskills } from './agents/openskills/index.js'
import { opencode } from './agents/opencode/index.js'
import { pi } from './agents/pi/index.js'
import { vercelSkills } from './agents/vercel-skills/index.js'
import type { checkedAgainst } from './checked.js'
import type { MakeDistribution } from './distribution-named.js'

/** The distributions that follow a released program, together: what compares them compiles once what they share. */
export const following = {
  'claude-code': claudeCode,
  opencode,
  codex,
  'gemini-cli': geminiCli,
  pi,
  openskills,
  'vercel-skills': vercelSkills,
} satisfies Readonly<Record<keyof typeof checkedAgainst, MakeDistribution>>
