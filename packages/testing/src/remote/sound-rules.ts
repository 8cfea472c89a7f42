import { alpha, bodyOf, omega, promptOf, running } from './asking.js'
import { sample } from '../contract/samples.js'
import { textIn } from '../contract/reading.js'
import type { RemoteRule } from './remote-trial.js'

/** Text with every token that an expander would replace. */
const meaningful = 'Run !`id`, read @/etc/passwd,\n\n```!\nid\n```\n\nand say $ARGUMENTS, $0 and ${HOME}.'

/** Rules for a source whose server works. */
export const soundRules: readonly RemoteRule[] = [
  {
    name: 'arrives',
    rule: 'what a server has comes into the catalog by itself, with its description, and load() gives what it says',
    async check(trial) {
      const connected = await running(trial)
      const catalog = await trial.arrive(connected, ['alpha', 'omega'], 'With a server that answers')
      for (const { name, description, body } of [alpha, omega]) {
        const command = promptOf(trial, catalog, name)
        if (!command.description.includes(description))
          trial.broken(`the description of "${name}" is "${command.description}" instead of "${description}".`)
        const text = await bodyOf(trial, connected, command)
        if (!text.includes(body))
          trial.broken(`load() of "${name}" gave ${JSON.stringify(text)}, which does not hold ${JSON.stringify(body)}.`)
      }
    },
  },
  {
    name: 'nothing-runs',
    rule: 'what a server sends is given in blocks, which no expander sees, and allows itself nothing',
    needs: ['blocks'],
    async check(trial) {
      const connected = await running(trial, sample('alpha', { body: meaningful }))
      const catalog = await trial.arrive(connected, ['alpha', 'omega'], 'With a server that answers')
      const command = promptOf(trial, catalog, 'alpha')
      if (command.allowedTools.length > 0)
        trial.broken(`a skill of a server allows itself ${command.allowedTools.join(', ')}.`)
      const loading = Promise.resolve(command.load('', { signal: new AbortController().signal }))
      const body = await trial.passing('load()', connected.clock, loading)
      if (!('blocks' in body))
        trial.broken(
          "load() gave a template, in which expanders look for commands to run. Give { blocks }, or say why it is meant to be expanded: without: { blocks: '…' }.",
        )
      if (!textIn(body).includes(meaningful))
        trial.broken(`load() gave ${JSON.stringify(textIn(body))}, which does not hold ${JSON.stringify(meaningful)}.`)
    },
  },
  {
    name: 'changes',
    rule: 'what a server adds and takes away comes and goes without anyone looking again',
    needs: ['push'],
    async check(trial) {
      const connected = await running(trial)
      await trial.arrive(connected, ['alpha', 'omega'], 'At first')
      await connected.remote.put([sample('beta')])
      await trial.arrive(connected, ['alpha', 'beta', 'omega'], 'After the server told of "beta"')
      await connected.remote.remove('alpha')
      await trial.arrive(connected, ['beta', 'omega'], 'After the server took "alpha" away')
    },
  },
  {
    name: 'close',
    rule: 'close() ends while the server answers nothing, and leaves no timer and no connection',
    async check(trial) {
      const connected = await running(trial)
      await trial.arrive(connected, ['alpha', 'omega'], 'At first')
      await trial.delayed(connected)
      connected.skills.invalidate()
      const loading = connected.skills.catalog().then(
        () => undefined,
        () => undefined,
      )
      await trial.passing('close()', connected.clock, connected.skills.close())
      await trial.passing('catalog() in an engine that closed', connected.clock, loading)
      if (connected.clock.pending > 0)
        trial.broken(`after close(), ${connected.clock.pending} timers of the host's clock still wait.`)
    },
  },
  {
    name: 'disconnects',
    rule: 'after close() no connection to the server is open',
    needs: ['connections'],
    async check(trial) {
      const connected = await running(trial)
      const { remote, skills, clock } = connected
      if (remote.connections === undefined) trial.lacking('remote', 'connections')
      await trial.arrive(connected, ['alpha', 'omega'], 'At first')
      if ((await remote.connections?.()) === 0)
        trial.broken('it cannot be checked, because connections() counts none while the server is asked.')
      await trial.passing('close()', clock, skills.close())
      const open = (await remote.connections?.()) ?? 0
      if (open > 0) trial.broken(`after close(), ${open} connections are still open.`)
    },
  },
]
