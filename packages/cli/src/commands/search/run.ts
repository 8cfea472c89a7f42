import { shownName } from '@skills/core'
import { toldRows } from '@skills/host/internal'
import { searchSkills } from '@skills/inspect'
import { again, quoted } from '../../engine/again.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { counted } from '../../output/problems.js'
import { exitCodes, type Io } from '../../io.js'
import { limitOf } from '../../arguments/limit-option.js'
import { foundJson, printFound } from './text.js'
import { printableLine } from '../../output/printable.js'
import { styleOf } from '../../output/style.js'
import { tokensOf } from '../../arguments/tokens.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** Most skills that a terminal shows by default; a program gets all. */
const terminalLimit = 20

/** `skills search`. See docs/reference/output.md, "Search output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const { stdout, stderr, signal, env } = io
  const query = invocation.args.join(' ')
  const limit =
    limitOf(invocation.text('--limit')) ?? (stdout.isTerminal && !invocation.json ? terminalLimit : Infinity)
  const body = invocation.has('--body')
  const contextWindow = tokensOf(invocation)
  return withEngine(
    invocation,
    io,
    async engine => {
      const { skills } = engine
      const catalog = await skills.catalog({ signal })
      const { found, unread } = await searchSkills(catalog, query, { body, signal })
      const shown = found.slice(0, limit)
      const told = await toldRows(engine, { contextWindow, signal })
      if (invocation.json)
        writeJson(
          {
            query,
            total: found.length,
            found: shown.map(one => foundJson(one, told(one))),
            unread,
            incomplete: catalog.incomplete,
          },
          stdout,
        )
      else
        printFound(
          shown.map(one => ({ one, told: told(one) })),
          invocation,
          io,
        )
      const style = styleOf(stderr, env, invocation.isColorless)
      for (const { name, problem } of unread)
        stderr.write(
          style.yellow(`skills: The body of ${shownName(name)} was not searched: ${printableLine(problem)}\n`),
        )
      if (found.length === 0) {
        const words = invocation.args.map(word => quoted(word)).join(' ')
        stderr.write(
          `skills: Nothing was found for "${printableLine(query)}". ${body ? 'Try other words.' : `Try other words, or search the bodies too: ${printableLine(again(`search ${words} --body`, invocation, io))}`}\n`,
        )
        return exitCodes.failed
      }
      const more = found.length - shown.length
      if (more > 0)
        stderr.write(
          style.dim(`${counted(found.length, 'skill')} found, ${more} not shown: --limit ${found.length} shows all.\n`),
        )
      return exitCodes.ok
    },
    asAgentsHave,
  )
}
