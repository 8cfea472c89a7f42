import { dirname } from 'node:path'
import { trustQuestion, type TrustQuestion } from '@skills/distributions/internal'
import { again, quoted } from './again.js'
import { counted } from '../output/problems.js'
import { printableLine } from '../output/printable.js'
import { stateOf } from './state-of.js'
import { trustText } from '../commands/trust/text.js'
import type { Diagnostic, Host } from '@skills/core'
import type { Engine } from './engine-parts.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Question whether to trust a folder, with its text for a person. */
export interface FolderToTrust extends TrustQuestion {
  /** Returns every item that is not agreed to, in full, for a person to read. */
  text(): string
}

/** Returns the question as {@link trustQuestion} does, with the command that agrees to code outside of the folder. */
export async function whatTrustMeans(
  folder: string,
  from: Host,
  engine: Engine,
  invocation: Invocation,
  io: Io,
): Promise<FolderToTrust> {
  const named = invocation.distribution === undefined ? undefined : { name: invocation.distribution, folder: io.cwd }
  const state = await stateOf(engine.skills.host, io)
  const found = await trustQuestion(folder, from, engine, { state, signal: io.signal, distribution: named })
  const problems = [
    ...found.problems,
    ...found.outside.map((path): Diagnostic => ({
      severity: 'warning',
      type: 'validation',
      code: 'not-agreed',
      path,
      message: `This file is in another folder, and is agreed to with that folder: ${again(`trust ${quoted(dirname(path))}`, invocation, io)}`,
      hint: 'Trust that folder.',
    })),
  ]
  return { ...found, problems, text: () => trustText({ ...found, problems }, invocation, io) }
}

/**
 * Shows the items and asks a person. Returns undefined if the person cancels, and `yes` if every item is already agreed
 * to.
 */
export async function askToTrust(
  found: FolderToTrust,
  { prompter, signal, stderr }: Io,
): Promise<'yes' | 'no' | 'no-terminal' | undefined> {
  if (!found.isOpen) return 'yes'
  stderr.write(found.text())
  if (prompter === undefined) return 'no-terminal'
  const answer = await prompter.choose(
    'Trust it?',
    [
      { value: 'no', label: 'No' },
      { value: 'yes', label: 'Yes, as it is shown here, until I revoke it' },
    ],
    signal,
  )
  return answer === 'yes' || answer === undefined ? answer : 'no'
}

/** Returns the sentence for an answer other than yes: it says what stays trusted. */
export function keptText({ isTrusted, items }: TrustQuestion): string {
  if (!isTrusted) return 'Nothing is trusted'
  const agreed = items.filter(({ state }) => state === 'agreed').length
  return `Nothing more is trusted, and the folder stays trusted${agreed === 0 ? '' : ` with the ${counted(agreed, 'item')} agreed to before`}`
}

/** Shows what trusting a folder means, asks, and trusts it after a yes. Returns the answer. */
export async function askWhetherTrusted(
  { folder, from }: { readonly folder: string; readonly from: Host },
  engine: Engine,
  invocation: Invocation,
  io: Io,
): Promise<Awaited<ReturnType<typeof askToTrust>>> {
  const found = await whatTrustMeans(folder, from, engine, invocation, io)
  const answer = await askToTrust(found, io)
  if (answer === 'yes') io.stderr.write(`skills: Trusted: ${printableLine((await found.trust()).path)}\n`)
  return answer
}
