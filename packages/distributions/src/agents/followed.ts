// Made by `node scripts/agents.mjs --write` of the folders beside it.
import { claudeCode } from './claude-code/index.js'
import { opencode } from './opencode/index.js'
import { codex } from './codex/index.js'
import { geminiCli } from './gemini-cli/index.js'
import { pi } from './pi/index.js'
import { openskills } from './openskills/index.js'
import { vercelSkills } from './vercel-skills/index.js'

/** The distributions that follow a released program, together: what compares them compiles once what they share. */
export const followed = {
  'claude-code': claudeCode,
  opencode,
  codex,
  'gemini-cli': geminiCli,
  pi,
  openskills,
  'vercel-skills': vercelSkills,
}
