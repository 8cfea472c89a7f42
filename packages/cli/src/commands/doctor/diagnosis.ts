import { untoldSkills } from '@skills/host/internal'
import { diagnose, nodeProblems, worstFirst, type Finding, type Harm } from '@skills/inspect/internal'
import { gitProblems, installProblems } from '@skills/install/internal'
import { again } from '../../engine/again.js'
import { againInstalling, elsewhereText, foldersElsewhere } from '../../engine/elsewhere.js'
import { untoldSentence } from '../overview/untold-text.js'
import type { Diagnostic } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Asks every package that checks something what is wrong here. Returns it worst first. */
export async function findingsHere(engine: Engine, invocation: Invocation, io: Io): Promise<readonly Finding[]> {
  const { skills, reported, misconfigured } = engine
  const { signal } = io
  const commandLine = (words: string): string => againInstalling(words, invocation, io)
  const folders = await foldersElsewhere(engine, io)
  const elsewhere = folders.map(folder => [folder, elsewhereText(folder, engine, invocation, io)] as const)
  const untold = await untoldSkills(engine, { signal })
  const as = (harm: Harm, problems: readonly Diagnostic[]): readonly Finding[] =>
    problems.map(diagnostic => ({ harm, diagnostic }))
  return worstFirst([
    ...(await diagnose(skills, { reported, misconfigured, elsewhere, signal })),
    ...as('agents', await installProblems(skills.host, { commandLine, signal })),
    ...as(
      'untold',
      // A program that tells its model of no skill is not repaired by a change of skills.
      untold === undefined || untold.tellsNothing !== undefined
        ? []
        : [
            {
              severity: 'warning',
              type: 'source',
              code: 'untold-skills',
              message: `${untoldSentence(untold)}.`,
              hint: `Shorten descriptions. What each skill gets: ${again('listing --costs', invocation, io)}`,
            },
          ],
    ),
    ...as('machine', [...nodeProblems(process.versions.node), ...(await gitProblems(skills.host, { signal }))]),
  ])
}
