import { isAbortError, SkillsError } from '@skills/core'
import { Invoker, type Outcome } from '@skills/invocation'
import { Asking, distrustedSentence, unansweredSentence } from '../../questions/asking.js'
import { exitCodes, type Io } from '../../io.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { outcomeJson, printOutcome } from './text.js'
import { entryNamed } from '../../output/unknown-name.js'
import { engineFor } from '../../engine/engine-for.js'
import { withEngine } from '../../engine/engine.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills run NAME [-- ARGS]`. See docs/reference/cli.md, "Running a skill". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const name = invokedName(invocation)
  const asking = new Asking(invocation, io, invocation.has('--yes'))
  return withEngine(
    invocation,
    io,
    async ({ skills, distribution }) => {
      asking.embedded = distribution.shell
      const invoker = new Invoker(skills, {
        ...distribution.invoker,
        async onAsk(question) {
          const answer = await asking.answer(question)
          // An unanswered question stops the run: half a skill is worse than none.
          if (asking.unanswered.length > 0) asking.stop()
          return answer
        },
        onUntrusted: ({ request }) => asking.trusts(request.entry),
      })
      skills.hook('permission:decided', asking.heed)
      let outcome: Outcome
      try {
        if (distribution.invoker.unknownText === undefined)
          entryNamed(await skills.catalog({ signal: asking.signal, names: [name] }), name)
        outcome = await invoker.invoke({ name, args: invocation.rest.join(' '), caller: 'user', signal: asking.signal })
      } catch (error) {
        if (asking.hasGivenUp && isAbortOrDenial(error)) return exitCodes.interrupted
        const { distrusted, unanswered } = asking
        if (distrusted.length + unanswered.length === 0 || !isAbortOrDenial(error)) throw error
        const why =
          distrusted.length > 0
            ? distrustedSentence(distrusted, invocation, io)
            : unansweredSentence(unanswered, invocation, io)
        io.stderr.write(`skills: Nothing was run. ${why}\n`)
        return exitCodes.failed
      }
      if (invocation.json) writeJson(outcomeJson(outcome), io.stdout)
      else printOutcome(outcome, invocation, io)
      return outcome.data.success ? exitCodes.ok : exitCodes.failed
    },
    asking.options,
    engineFor(name, io),
  )
}

function isAbortOrDenial(error: unknown): boolean {
  return isAbortError(error) || (SkillsError.is(error) && error.code === 'E_DENIED')
}
