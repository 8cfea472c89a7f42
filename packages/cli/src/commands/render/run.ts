import { Invoker } from '@skills/invocation'
import { SkillsError, type PromptCommand } from '@skills/core'
import { renderSkill } from '@skills/inspect/internal'
import { Asking, trustHint, unansweredSentence } from '../../questions/asking.js'
import { exitCodes, type Io } from '../../io.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { printRendered, renderedJson } from './text.js'
import { embeddedIn } from '../../questions/embedded-in.js'
import { entryNamed } from '../../output/unknown-name.js'
import { engineFor } from '../../engine/engine-for.js'
import { withEngine } from '../../engine/engine.js'
import type { Engine } from '../../engine/engine-parts.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills render NAME [-- ARGS]`. See docs/reference/cli.md, "Rendering a skill". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const name = invokedName(invocation)
  const asking = new Asking(invocation, io, invocation.has('--yes'))
  const { signal } = asking
  return withEngine(
    invocation,
    io,
    async engine => {
      const { skills, distribution } = engine
      asking.embedded = distribution.shell
      const entry = entryNamed(await skills.catalog({ signal, names: [name] }), name)
      const { command } = entry
      if (command.type !== 'prompt')
        throw new SkillsError(
          'E_NOT_INVOCABLE',
          `"${entry.name}" is a command of this program and has no text for a model.`,
        )
      try {
        const isUntrusted =
          !invocation.has('--no-shell') &&
          (await asksForTrust(engine, command, signal)) &&
          !(await asking.trusts(entry))
        const rendered = await renderSkill(
          { ...entry, command },
          {
            skills,
            invoker: new Invoker(skills, distribution.invoker),
            args: invocation.rest.join(' '),
            signal,
            isShellOff: invocation.has('--no-shell'),
            trims: distribution.inline.trims ?? 'blank-lines',
            async ask(request, decision) {
              const before = asking.unanswered.length
              const answer = await asking.answer({ request, decision })
              return asking.unanswered.length > before ? undefined : answer
            },
          },
        )
        if (invocation.json) writeJson(renderedJson(entry, rendered), io.stdout)
        else printRendered(rendered, invocation, io)
        // The text is complete: a model gets it in this form.
        if (isUntrusted)
          io.stderr.write(
            `skills: This is what a model gets as long as the skill is not trusted. ${trustHint(entry, invocation, io)}\n`,
          )
      } catch (error) {
        if (asking.hasGivenUp) return exitCodes.interrupted
        throw error
      }
      if (asking.unanswered.length === 0) return exitCodes.ok
      io.stderr.write(
        `skills: The text is incomplete. ${unansweredSentence(asking.unanswered, invocation, io)} Or add --no-shell to leave commands as they are written.\n`,
      )
      return exitCodes.failed
    },
    asking.options,
    engineFor(name, io),
  )
}

/** Returns true if the skill embeds something that would run if its folder were trusted. */
async function asksForTrust(
  { skills, distribution }: Engine,
  command: PromptCommand,
  signal: AbortSignal,
): Promise<boolean> {
  const body = await command.load('', { signal })
  if (embeddedIn(body, command, distribution.shell).length === 0) return false
  return (
    (await skills.use('trust').first((trust, call) => trust.judge(command, false, call), { signal }))?.level ===
    'untrusted'
  )
}
