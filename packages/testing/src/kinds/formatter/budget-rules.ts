import { SkillsError } from '@skills/core'
import { ample, budgetsUpTo, listedAs, manyEntries, type FormatterRule } from './formatter-trial.js'

const five = ['beta', 'alpha', 'gamma', 'a-much-longer-name', 'omega'].map(name =>
  listedAs(name, { whenToUse: `Whenever ${name} is spoken of.` }),
)

/** Skills that a formatter may prefer. Their text counts like that of all others. */
const preferred = [...five, listedAs('in-code', { source: 'bundled' }), listedAs('first', { override: 'pinned' })]

/** Rules for what a listing contains and how long it may be. */
export const budgetRules: readonly FormatterRule[] = [
  {
    name: 'listing',
    rule: 'with room for all of it a listing has every name once, with its description and when to use it',
    async check(trial) {
      const listing = await trial.listed(five, ample)
      trial.expectSound(listing, five, 'With room for all of it')
      for (const { name, command } of five) {
        const entry = listing.entries.find(one => one.name === name)
        if (entry === undefined || !entry.text.includes(name))
          return trial.broken(`the entry of "${name}" does not name it.`)
        if (!entry.text.includes(command.description.slice(0, 20)))
          trial.broken(`the entry of "${name}" does not say what it is for: ${entry.text}`)
      }
    },
  },
  {
    name: 'empty',
    rule: 'a listing of nothing is no failure and has no entries',
    async check(trial) {
      const listing = await trial.listed([], undefined)
      trial.expectSound(listing, [], 'Of nothing')
      if (listing.truncated.length > 0) trial.broken(`of nothing, ${listing.truncated.length} were truncated.`)
    },
  },
  {
    name: 'budget',
    rule: 'no listing takes more than its budget',
    needs: ['budget'],
    async check(trial) {
      const whole = (await trial.listed(five, ample)).usedChars
      for (const budget of budgetsUpTo(whole)) {
        const { usedChars, budgetChars } = await trial.listed(five, budget)
        if (usedChars > budget) trial.broken(`with a budget of ${budget} the listing takes ${usedChars}.`)
        const more = await trial.listed(preferred, budget)
        if (more.usedChars > budget)
          trial.broken(
            `with a budget of ${budget} the listing takes ${more.usedChars} once a skill is pinned and another comes with the program.`,
          )
        if (budgetChars !== budget) trial.broken(`with a budget of ${budget} it says that it had ${budgetChars}.`)
      }
      const { usedChars, omitted, truncated } = await trial.listed(five, whole)
      if (usedChars !== whole || omitted.length + truncated.length > 0)
        trial.broken(`with exactly the room that it takes, ${whole}, the listing leaves something out.`)
    },
  },
  {
    name: 'nothing-lost',
    rule: 'what found no room is told of: what is left out among those omitted, what is shortened among those truncated',
    needs: ['budget'],
    async check(trial) {
      const whole = (await trial.listed(five, ample)).usedChars
      for (const budget of budgetsUpTo(whole)) {
        const listing = await trial.listed(five, budget)
        trial.expectSound(listing, five, `With a budget of ${budget}`)
        const silent = listing.entries.find(({ name, shown }) => shown === 'name' && !listing.truncated.includes(name))
        if (silent !== undefined)
          trial.broken(
            `with a budget of ${budget} "${silent.name}" is there without its description, and is not among those truncated.`,
          )
      }
    },
  },
  {
    name: 'odd-budgets',
    rule: 'a budget or a window that is no size is refused with a SkillsError or taken for none, and never gives a listing that is not sound',
    async check(trial) {
      for (const budget of [0, 1, -1, 0.5, NaN, Infinity, -Infinity]) {
        const outcome = await trial.ended('make() and format()', () => trial.listed(five, budget))
        if ('value' in outcome)
          trial.expectSound(
            { ...outcome.value, budgetChars: Number.isFinite(budget) ? outcome.value.budgetChars : 0 },
            five,
            `With a budget of ${budget}`,
          )
        else if (!isRefusal(outcome.error)) throw outcome.error
      }
      const formatter = await trial.formatter(undefined)
      for (const window of [0, 1, -1, 0.5, NaN, Infinity, 200_000]) {
        const listing = await trial.format(formatter, five, window)
        trial.expectSound(listing, five, `With a window of ${window} tokens`)
      }
    },
  },
  {
    name: 'many',
    rule: '10,000 entries are listed within the budget, and each is there or told of',
    async check(trial) {
      const entries = manyEntries(10_000)
      const listing = await trial.listed(entries, 8000)
      const known = new Set([...listing.entries.map(({ name }) => name), ...listing.omitted])
      if (known.size !== entries.length)
        trial.broken(`of 10,000 entries ${entries.length - known.size} are neither listed nor told of.`)
      if (listing.usedChars > listing.budgetChars)
        trial.broken(`10,000 entries take ${listing.usedChars} of ${listing.budgetChars}.`)
    },
  },
]

/** True if an error or one of its causes is a SkillsError. */
function isRefusal(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (SkillsError.is(one)) return true
  return false
}
