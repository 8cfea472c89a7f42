import { alpha, bodyOf, promptOf, resting, running } from './asking.js'
import { sample } from '../contract/samples.js'
import { expectToldAndKept } from '../contract/taking-time.js'
import type { RemoteRule } from './remote-trial.js'

/** Rules for a source whose server is slow, broken or gone. */
export const unsoundRules: readonly RemoteRule[] = [
  {
    name: 'slow',
    rule: 'a server that is slow holds no one up and is told of: the rest is listed, what it gave before too, and what it has comes in later by itself',
    async check(trial) {
      const connected = await resting(trial)
      const delay = await trial.delayed(connected)
      await connected.remote.start()
      const provider = connected.fixture.provider.id
      const first = await trial.catalog(connected, 'while a server that was never heard of answers nothing')
      await delay.release()
      const whole = await trial.arrive(connected, ['alpha', 'omega'], 'Once the slow server answered')
      const never = 'While a server that was never heard of answered nothing'
      expectToldAndKept(trial, { catalog: first, provider, known: [], whole, when: never })
      const again = await trial.delayed(connected)
      connected.skills.invalidate()
      const catalog = await trial.catalog(connected, 'while a server that answered before answers nothing')
      const known = ['alpha', 'omega'].map(name => trial.nameOf(name))
      const before = 'While a server that answered before answered nothing'
      expectToldAndKept(trial, { catalog, provider, known, whole, when: before })
      await again.release()
      await trial.arrive(connected, ['alpha', 'omega'], 'Once the server answered again')
    },
  },
  {
    name: 'down',
    rule: 'a server that cannot be reached holds no one up and is told of, and is found by itself once it runs',
    async check(trial) {
      const connected = await resting(trial)
      await trial.catalog(connected, 'without a server')
      await trial.expectTold(connected, 'Without a server')
      await connected.remote.start()
      await trial.arrive(connected, ['alpha', 'omega'], 'Once the server ran')
    },
  },
  {
    name: 'dies',
    rule: 'a server that dies in the middle of an answer holds no one up and is told of',
    async check(trial) {
      const connected = await resting(trial)
      const delay = await trial.delayed(connected)
      await connected.remote.start()
      const loading = trial.catalog(connected, 'while the server died')
      await trial.passing('the source', connected.clock, delay.asked)
      await connected.remote.stop()
      await loading
      await trial.expectTold(connected, 'After the server died')
    },
  },
  {
    name: 'reconnects',
    rule: 'a server that died and runs again is found by itself, with what it has by then',
    async check(trial) {
      const connected = await running(trial)
      await trial.arrive(connected, ['alpha', 'omega'], 'At first')
      for (const name of ['beta', 'gamma']) {
        await connected.remote.stop()
        await connected.remote.put([sample(name)])
        await trial.catalog(connected, 'after the server died')
        await connected.remote.start()
        await trial.arrive(
          connected,
          name === 'beta' ? ['alpha', 'beta', 'omega'] : ['alpha', 'beta', 'gamma', 'omega'],
          'After the server had died and ran again',
        )
      }
    },
  },
  {
    name: 'garbage',
    rule: 'a server that answers with what is no answer costs its own skills only, is told of, and is found again once it is sound',
    needs: ['garble'],
    async check(trial) {
      const connected = await resting(trial)
      const { remote } = connected
      const { garble } = remote
      if (garble === undefined) return trial.lacking('remote', 'garble')
      const release = await garble.call(remote)
      await remote.start()
      await trial.catalog(connected, 'while the server answers with garbage')
      await trial.expectTold(connected, 'While the server answers with garbage')
      await release()
      await remote.stop()
      await remote.start()
      await trial.arrive(connected, ['alpha', 'omega'], 'Once the server was sound')
    },
  },
  {
    name: 'load-dead',
    rule: 'load() of a skill whose server is dead fails with a SkillsError that says so, and works again once the server runs',
    async check(trial) {
      const connected = await running(trial)
      const command = promptOf(trial, await trial.arrive(connected, ['alpha', 'omega'], 'At first'), 'alpha')
      await connected.remote.stop()
      const outcome = await trial.ended('load()', () => bodyOf(trial, connected, command))
      trial.expectSkillsError(outcome, 'load() whose server was dead')
      await connected.remote.start()
      await trial.eventually(connected, 'once its server ran again load() gave what the server says', async () => {
        const catalog = await trial.catalog(connected, 'after the server ran again')
        if (catalog.get(trial.nameOf('alpha')) === undefined) return false
        const again = await trial.ended('load()', () => bodyOf(trial, connected, promptOf(trial, catalog, 'alpha')))
        return 'value' in again && again.value.includes(alpha.body)
      })
    },
  },
  {
    name: 'abort-load',
    rule: 'a load() that is aborted while the server is slow rejects with an AbortError at once',
    async check(trial) {
      const connected = await running(trial)
      const command = promptOf(trial, await trial.arrive(connected, ['alpha', 'omega'], 'At first'), 'alpha')
      const delay = await trial.delayed(connected)
      for (const isBefore of [true, false]) {
        const controller = new AbortController()
        if (isBefore) controller.abort()
        const loading = trial.ended('load() that was aborted', async () =>
          command.load('', { signal: controller.signal }),
        )
        controller.abort()
        const outcome = await loading
        trial.expectAborted(outcome, 'load() that was aborted')
      }
      await delay.release()
      const text = await bodyOf(trial, connected, command)
      if (!text.includes(alpha.body)) trial.broken(`after an aborted load() the next gave ${JSON.stringify(text)}.`)
    },
  },
]
