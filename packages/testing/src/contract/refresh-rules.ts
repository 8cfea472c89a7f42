import { expectNames, promptNamed } from './reading.js'
import { sample } from './samples.js'
import type { SourceRule } from './trial.js'

const another = 'Is described in other and more words than before.'

/** Rules for the result of a source after a refresh. */
export const refreshRules: readonly SourceRule[] = [
  {
    name: 'changes',
    rule: 'looking again shows what was added, what was changed and what was removed',
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta'), sample('gamma')])
      const skills = trial.engine(fixture)
      await trial.catalog(skills)
      await fixture.store.put([sample('delta'), sample('beta', { description: another })])
      await fixture.store.remove('gamma')
      for (const [look, when] of [
        [() => skills.refresh(), 'After refresh()'],
        [() => (skills.invalidate(), skills.catalog()), 'After invalidate()'],
      ] as const) {
        const catalog = await trial.answer('catalog()', look)
        expectNames(trial, catalog, ['alpha', 'beta', 'delta'], when)
        const { description } = promptNamed(trial, catalog, 'beta', when)
        if (description !== another)
          trial.broken(`${when}, the description of "beta", which was changed, is still "${description}".`)
      }
    },
  },
  {
    name: 'refresh-nothing',
    rule: 'refresh() gives undefined when nothing changed',
    needs: ['refresh'],
    async check(trial) {
      const { list, refresh } = await trial.start(await trial.fixture([sample('alpha'), sample('beta')]))
      await list()
      for (const time of ['first', 'second']) {
        if ((await refresh()) !== undefined)
          trial.broken(`the ${time} refresh() gave a result although nothing had changed since list().`)
      }
    },
  },
  {
    name: 'refresh-path',
    rule: 'refresh() of one path changes what lies there and nothing else',
    needs: ['refresh', 'pathOf'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta'), sample('gamma')])
      const store = trial.able(fixture.store, 'pathOf')
      const { list, refresh } = await trial.start(fixture)
      const before = await list()
      if ((await refresh([store.pathOf('alpha')])) !== undefined)
        trial.broken('refresh() of the path of "alpha", which was as before, gave a result.')
      await store.put([sample('alpha', { description: another }), sample('beta', { description: another })])
      const after = await refresh([store.pathOf('alpha')])
      if (after === undefined)
        return trial.broken('refresh() of the path of "alpha", which was changed, gave undefined.')
      const when = 'After refresh() of the path of "alpha"'
      expectNames(trial, after, ['alpha', 'beta', 'gamma'], when)
      const [alpha, beta] = ['alpha', 'beta'].map(name => promptNamed(trial, after, name, when).description)
      if (alpha !== another)
        trial.broken(`${when}, the description of "alpha", which was changed, is still "${alpha}".`)
      if (beta !== promptNamed(trial, before, 'beta', 'Before').description)
        trial.broken(`${when}, "beta" was looked at too, which lies elsewhere.`)
      await store.remove('gamma')
      const rest = await refresh([store.pathOf('gamma')])
      if (rest === undefined)
        return trial.broken('refresh() of the path of "gamma", which was removed, gave undefined.')
      expectNames(trial, rest, ['alpha', 'beta'], 'After refresh() of the path of "gamma", which was removed')
    },
  },
]
