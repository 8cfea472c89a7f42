import { claudeCode } from './claude-code.js'
import { codex } from './codex.js'
import { geminiCli } from './gemini-cli.js'
import { openskills } from './openskills.js'
import { opencode } from './opencode.js'
import { pi } from './pi.js'
import { vercelSkills } from './vercel-skills.js'
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
