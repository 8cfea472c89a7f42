import { SkillsError } from '@skills/core'
import { agreementFor, refuseOther, type Agreement, type CiResult, type InstallContext } from '@skills/install/internal'
import { printResult } from './differences-text.js'
import { exitCodes, type Io } from '../io.js'
import { folded } from '../output/folded.js'
import { pinText } from './plan-text.js'
import { printableLine } from '../output/printable.js'
import { UsageError } from '../arguments/usage-error.js'
import { writeJson } from '../output/write-json.js'
import type { Invocation } from '../arguments/invocation.js'
import type { agreement } from '../arguments/shared-options.js'

/** Most skills that are listed; the others are counted. */
const mostSkills = 100

/**
 * Installs the skills of a project's lock, after a person has agreed to them: earlier, by an option, or now. Returns
 * the exit code.
 * @param act installs the skills; throws `E_INSTALL_CONSENT` if `agreed` is not the digest of these skills
 */
export async function withAgreement(
  act: (agreed: string | undefined) => Promise<CiResult>,
  context: InstallContext,
  invocation: Invocation<keyof typeof agreement>,
  io: Io,
): Promise<number> {
  const { has, json, text } = invocation
  const frozen = text('--frozen-trust')
  if (frozen !== undefined && (has('--yes') || has('--dry-run')))
    throw new UsageError(
      'The option --frozen-trust already answers the question, by a digest: leave out --yes and --dry-run.',
    )
  if (has('--dry-run')) {
    if (has('--yes')) throw new UsageError('The option --dry-run changes nothing: leave out --yes.')
    const wanted = await agreementFor(context)
    if (json) writeJson(wanted, io.stdout)
    else io.stdout.write(folded(agreementText(wanted), io.stdout, io))
    return exitCodes.ok
  }
  if (frozen !== undefined) await refuseOther(frozen, context)
  try {
    return printResult(await act(frozen), invocation, io)
  } catch (error) {
    if (frozen !== undefined || !SkillsError.is(error) || error.code !== 'E_INSTALL_CONSENT') throw error
  }
  const wanted = await agreementFor(context)
  if (!has('--yes')) {
    context.onProgress?.()
    io.stderr.write(folded(agreementText(wanted), io.stderr, io))
    if (io.prompter === undefined || json) {
      io.stderr.write(
        `skills: Nothing is written, because you cannot be asked here. Run this at a terminal, or answer with --yes or --frozen-trust ${wanted.digest}.\n`,
      )
      return exitCodes.failed
    }
    const answer = await io.prompter.choose(
      'Write it?',
      [
        { value: 'no', label: 'No' },
        { value: 'yes', label: 'Yes, as it is shown here' },
      ],
      io.signal,
    )
    if (answer === undefined) return exitCodes.interrupted
    if (answer !== 'yes') {
      io.stderr.write('skills: Nothing is written.\n')
      return exitCodes.failed
    }
  }
  return printResult(await act(wanted.digest), invocation, io)
}

function agreementText({ digest, isAgreed, skills, agents, folders }: Agreement): string {
  const shown = skills.slice(0, mostSkills)
  const lines = isAgreed
    ? ['You have already agreed to all skills of the lock.']
    : [
        'The lock would install these skills, and you have not agreed to them yet:',
        ...shown.map(
          ({ name, source, resolved }) =>
            `  ${printableLine(name)}  ${printableLine(source)}  ${printableLine(pinText(resolved))}`,
        ),
        ...(skills.length > shown.length ? [`  and ${skills.length - shown.length} more skills`] : []),
        ...(agents.length === 0 ? [] : [`  for   ${agents.map(printableLine).join(', ')}`]),
        `  into  ${folders.map(printableLine).join(', ')}`,
      ]
  return [...lines, `consent  ${digest}`, ''].join('\n')
}
