import { lookAtOffered, withOffered, type OfferedSkill } from '@skills/install/internal'
import { again, quoted } from '../../engine/again.js'
import { asUsageError } from '../../arguments/usage-error.js'
import { exitCodes, type Io } from '../../io.js'
import { folded } from '../../output/folded.js'
import { offeredJson, printOffer } from '../../installing/offer-text.js'
import { printable, printableLine } from '../../output/printable.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills try SOURCE`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    args: [source = ''],
    texts,
    json,
  } = invocation
  // Nothing is installed, so neither scope counts.
  const anywhere = { ...invocation, has: () => false }
  return withInstall(
    anywhere,
    io,
    async context =>
      asUsageError(async () =>
        withOffered(source, texts('--skill'), context, async offer => {
          const [one, ...others] = offer.skills
          if (one === undefined || others.length > 0) return printOffer(offer, source, invocation, io)
          const shown = { ...offeredJson(one), ...(await lookAtOffered(one, context.signal)) }
          if (json) writeJson(shown, io.stdout)
          else {
            const next = again(`add ${quoted(source)} --skill ${quoted(one.name)}`, invocation, io)
            io.stdout.write(folded(summaryText(one, shown.fields, next), io.stdout, io))
            io.stdout.write(`\n${shown.text.trimEnd().split('\n').map(printable).join('\n')}\n`)
          }
          return exitCodes.ok
        }),
      ),
    { isQuiet: invocation.has('--quiet') },
  )
}

function summaryText(
  { name, description, powers: { findings } }: OfferedSkill,
  fields: readonly string[],
  next: string,
): string {
  const lines = findings.map(({ level, message }) => `  ${level}  ${printableLine(message)}`)
  return [
    `${printableLine(name)}  ${printableLine(description)}`,
    ...(lines.length === 0 ? ['It can do nothing by itself: it is text alone.'] : ['It can', ...lines]),
    ...fields.map(printableLine),
    `Install it: ${next}`,
    'A model would get this text. No command in it was run:',
    '',
  ].join('\n')
}
