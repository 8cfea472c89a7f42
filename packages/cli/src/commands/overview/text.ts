import type { Catalog, Diagnostic } from '@skills/core'
import type { UntoldSkills } from '@skills/host/internal'
import { untoldLines } from './untold-text.js'
import { activeOnes, problemsOf } from '@skills/inspect/internal'
import { again, quoted } from '../../engine/again.js'
import { counted } from '../../output/problems.js'
import { problemLines } from '../../output/problem-lines.js'
import { countsOfOthers } from '../../output/others-text.js'
import { hereLines, hereSteps } from './here-text.js'
import { printableLine, printable } from '../../output/printable.js'
import { placeLines } from '../../output/places-text.js'
import { folded } from '../../output/folded.js'
import { withShownPaths } from '../../output/shown-path.js'
import { stepLines } from '../../output/step-lines.js'
import { styleOf, type Style } from '../../output/style.js'
import type { Engine } from '../../engine/engine-parts.js'
import type { Here } from './load-here.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io, Output } from '../../io.js'

/** Command line with a description. */
type Step = readonly [string, string]

/** Prints where skills were searched for, how many there are, which problems they have, and what to do next. */
export function printOverview(
  catalog: Catalog,
  {
    here,
    elsewhere,
    untold,
  }: {
    readonly here: Here | undefined
    /** Findings about folders of skills that are not searched. */
    readonly elsewhere: readonly Diagnostic[]
    readonly untold: UntoldSkills | undefined
  },
  { skills: { host }, distribution: { name }, reported, misconfigured }: Engine,
  invocation: Invocation,
  io: Io,
): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, invocation.isColorless)
  const problems = problemsOf(catalog, reported, misconfigured)
  const sections = [
    [
      style.bold(
        `Skills for ${printable(host.cwd)}${name === 'standard' ? '' : `, as ${printableLine(name)} has them`}`,
      ),
      ...placeLines(catalog, cwd, style),
    ],
    [totals(catalog, here)],
    untold === undefined ? [] : untoldLines(untold, invocation, io, style),
    problemLines(problems, again('lint', invocation, io), cwd, style),
    elsewhereLines(elsewhere, cwd, style),
    here === undefined ? [] : hereLines(here, invocation, io, style),
    nextSteps(
      catalog,
      { here: here && hereSteps(here, invocation, io), hasFindings: problems.length + elsewhere.length > 0 },
      words => printableLine(again(words, invocation, io)),
      style,
      stdout,
    ),
  ]
  const texts = sections.filter(lines => lines.length > 0).map(lines => lines.join('\n'))
  // The last section has command lines, which people copy, so it is not folded.
  stdout.write(`${[...texts.slice(0, -1).map(text => folded(text, stdout, io)), texts.at(-1)].join('\n\n')}\n`)
}

/** Returns two lines for each folder of skills that is not searched: what it has, and what to do. */
function elsewhereLines(found: readonly Diagnostic[], cwd: string, style: Style): readonly string[] {
  if (found.length === 0) return []
  const clean = (sentence: string): string => printableLine(withShownPaths(sentence, cwd))
  return [
    style.bold('Skills elsewhere'),
    ...found.flatMap(({ message, hint = '' }) => [`  ${clean(message)}`, `    ${style.dim(clean(hint))}`]),
  ]
}

/** Counts the skills. In a repository of skills that no agent reads there, says so instead of "0 skills active". */
function totals(catalog: Catalog, here: Here | undefined): string {
  if (catalog.entries.length === 0 && here !== undefined && here.skills.length > 0)
    return `No agent reads the ${counted(here.skills.length, 'skill')} of this folder from here`
  const [qualified] = countsOfOthers(catalog, ['qualified'])
  const others = countsOfOthers(catalog, ['shadowed', 'duplicate', 'disabled', 'failed'])
  return [
    // A skill that lost only its plain name is invoked and listed like the others.
    `${counted(activeOnes(catalog).length + (qualified?.count ?? 0), 'skill')} active`,
    ...(qualified === undefined ? [] : [`${qualified.count} of them ${qualified.words}`]),
    ...others.map(({ count, words }) => `${count} ${words}`),
  ].join(', ')
}

function nextSteps(
  catalog: Catalog,
  { here, hasFindings }: { readonly here: readonly Step[] | undefined; readonly hasFindings: boolean },
  line: (words: string) => string,
  style: Style,
  stdout: Output,
): readonly string[] {
  const [first] = catalog.entries
  if (here !== undefined) return [style.bold('Next'), ...stepLines(here, style, stdout)]
  if (first === undefined) {
    const begin: readonly Step[] = [
      ...(hasFindings ? [[line('doctor --fix'), 'mend what can be mended, and see the rest'] as const] : []),
      [line('add SOURCE'), 'install skills: owner/repo, a URL, npm:NAME or ./folder'],
      [line('new hello'), 'write a first skill of your own'],
    ]
    return [style.bold('Next'), ...stepLines(begin, style, stdout)]
  }
  const steps = [
    [line('list'), 'every skill and what it is for'],
    [line(`explain ${quoted(first.name)}`), 'where one comes from, and why it is or is not used'],
    [line('lint'), 'check every file completely; --fix repairs what can be'],
  ] as const
  return [style.bold('Next'), ...stepLines(steps, style, stdout)]
}
