import { shownName } from '@skills/core'
import { skillJson, toldJson } from '@skills/ui/internal'
import { toldWords } from '../../output/told-text.js'
import { columnOf, cut, nameColumn, pad, widthOf } from '../../output/width.js'
import { printableLine } from '../../output/printable.js'
import { styleOf } from '../../output/style.js'
import type { FoundCommand } from '@skills/inspect/internal'
import type { ToldSkill } from '@skills/invocation/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Most cells of the last column; the first words of a match say most. */
const widestWhy = 40

type Field = FoundCommand['reasons'][number]['field']

const fieldWords: Readonly<Record<Field, string>> = {
  name: 'name',
  displayName: 'display name',
  aliases: 'alias',
  keywords: 'keyword',
  description: 'description',
  whenToUse: 'when to use',
  body: 'body',
}

/** Returns which words were found in which field: `name: deploy; description: ships`. */
function whyText({ reasons }: FoundCommand): string {
  return reasons.length === 0
    ? 'name'
    : reasons.map(({ field, words }) => `${fieldWords[field]}: ${words.join(', ')}`).join('; ')
}

/** Skill that was found, and what the model is told of it. */
export interface FoundAndTold {
  readonly one: FoundCommand
  readonly told: ToldSkill
}

/**
 * Prints the results: a table for people, lines for programs with name, source, description, state, matches, and what
 * the model is told.
 */
export function printFound(found: readonly FoundAndTold[], { isColorless }: Invocation, { stdout, env }: Io): void {
  const rows = found.map(({ one, told }) => ({
    one,
    told: toldWords(told),
    name: shownName(one.name),
    source: printableLine(one.command.source),
    description: printableLine(one.command.description),
    why: printableLine(whyText(one)),
  }))
  if (!stdout.isTerminal) {
    stdout.write(
      rows
        .map(
          ({ one, name, source, description, why, told }) =>
            `${[name, source, description, one.state, why, told].join('\t')}\n`,
        )
        .join(''),
    )
    return
  }
  if (rows.length === 0) return
  const style = styleOf(stdout, env, isColorless)
  const { title, names } = nameColumn(
    rows.map(({ name }) => name),
    stdout.columns * 0.7,
  )
  const sourceCells = columnOf(['SOURCE', ...rows.map(({ source }) => source)])
  const stateCells = columnOf(['STATE', ...rows.map(({ one }) => one.state)])
  // A column that says the same of every skill takes room from the descriptions.
  const toldCells = rows.every(({ told }) => told === 'whole') ? 0 : columnOf(['TOLD', ...rows.map(({ told }) => told)])
  const toldColumn = (text: string): readonly string[] => (toldCells === 0 ? [] : [pad(text, toldCells)])
  const whyCells = columnOf(
    ['FOUND IN', ...rows.map(({ why }) => why)],
    Math.min(widestWhy, Math.max(stdout.columns - 58, 12)),
  )
  const lines = [
    style.dim(
      [
        title,
        pad('SOURCE', sourceCells),
        pad('STATE', stateCells),
        ...toldColumn('TOLD'),
        pad('FOUND IN', whyCells),
        'DESCRIPTION',
      ].join('  '),
    ),
  ]
  for (const [at, { one, source, description, why, told }] of rows.entries()) {
    const name = names[at] ?? ''
    const left = [
      pad(source, sourceCells),
      pad(one.state, stateCells),
      ...toldColumn(told),
      pad(cut(why, whyCells), whyCells),
    ].join('  ')
    const isActive = one.state === 'active'
    const rest = cut(description, stdout.columns - widthOf(name) - widthOf(left) - 4)
    lines.push(
      [(isActive ? style.bold : style.dim)(name), left, isActive ? rest : style.dim(rest)].join('  ').trimEnd(),
    )
  }
  stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Returns a result as JSON: the skill as in a list, and the words found in each field. See docs/reference/output.md,
 * "Search output".
 */
export function foundJson(found: FoundCommand, told: ToldSkill): Record<string, unknown> {
  const { command, reasons } = found
  return {
    ...skillJson({ ...found, source: command.source, path: found.path }),
    told: toldJson(told),
    found: reasons.map(({ field, words }) => ({ field, words })),
  }
}
