import { realpathSync, statSync } from 'node:fs'
import { SkillsError, messageOf, type PromptCommand } from '@skills/core'
import { expectNames, promptNamed, some, textOf } from './reading.js'
import { largeSample, sample } from './samples.js'
import type { SourceRule } from './source-rule.js'
import type { Trial } from './trial.js'

const bodyBytes = 128 * 1024

/** What a command says of itself, and when its body is read. */
export const bodyRules: readonly SourceRule[] = [
  {
    name: 'identity',
    rule: 'a skill that is reached twice is one command',
    needs: ['identity'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta')])
      const { provider } = fixture
      const catalog = await trial.answer('catalog()', () => trial.engine(fixture, { plugins: [{ ...provider, id: `${provider.id}-again` }] }).catalog())
      const commands = catalog.entries.map(({ command }) => command)
      const alpha = promptNamed(trial, commands, 'alpha', 'Through the engine')
      if (alpha.file === undefined && alpha.digest === undefined) {
        trial.broken('a command has neither file nor digest, by which the engine could tell. Give it one, or say why it has none: without: { identity: \'…\' }.')
      }
      expectNames(trial, catalog.entries.map(({ name }) => name), ['alpha', 'beta'], 'With the same store in two sources')
      for (const command of [alpha, promptNamed(trial, commands, 'beta', 'Through the engine')]) expectTrueFile(trial, command)
    },
  },
  {
    name: 'not-kept',
    rule: 'no field of a command holds its body',
    async check(trial) {
      const marked = sample('alpha', { body: 'First line.\n\nThe marked 4e1f line.' })
      const { list } = await trial.start(await trial.fixture([marked]))
      const command = promptNamed(trial, (await list()).commands, 'alpha', 'With one skill')
      const holders = Object.entries(command).filter(([, value]) => JSON.stringify(value)?.includes('4e1f') === true).map(([key]) => key)
      if (holders.length > 0) trial.broken(`${some(holders)} of "alpha" holds the body before anybody asked for it.`)
    },
  },
  {
    name: 'lazy-list',
    rule: 'a listing reads no bodies',
    needs: ['countReads'],
    async check(trial) {
      const names = Array.from({ length: 20 }, (_, at) => `skill-${at}`)
      const fixture = await trial.fixture(names.map(name => largeSample(name, bodyBytes)))
      const { list } = await trial.start(fixture)
      const counter = trial.able(fixture.store, 'countReads').countReads()
      trial.atEnd(() => counter.stop())
      const result = await list()
      const { bytes } = counter
      const command = promptNamed(trial, result.commands, 'skill-7', 'With 20 large skills')
      await textOf(trial, command)
      // A counter that sees nothing would prove everything.
      if (counter.bytes - bytes < bodyBytes * 0.9) trial.broken(`it cannot be checked, because countReads() counted ${counter.bytes - bytes} bytes when load() read a body of ${bodyBytes}: it does not see how this source reads.`)
      if (bytes > names.length * bodyBytes / 4) trial.broken(`list() read ${bytes} bytes of ${names.length} skills whose bodies have ${bodyBytes} each; what stands before the bodies has less than ${names.length * 1024}.`)
    },
  },
  {
    name: 'lazy-load',
    rule: 'a body is read alone',
    needs: ['countReads'],
    async check(trial) {
      const fixture = await trial.fixture(Array.from({ length: 20 }, (_, at) => largeSample(`skill-${at}`, bodyBytes)))
      const { list } = await trial.start(fixture)
      const command = promptNamed(trial, (await list()).commands, 'skill-7', 'With 20 large skills')
      const counter = trial.able(fixture.store, 'countReads').countReads()
      trial.atEnd(() => counter.stop())
      await textOf(trial, command)
      if (counter.bytes > 4 * bodyBytes) trial.broken(`load() of "skill-7" read ${counter.bytes} bytes for a body of ${bodyBytes}.`)
    },
  },
  {
    name: 'fresh-body',
    rule: 'load() gives the body as it is at that moment',
    async check(trial) {
      const { store, ...fixture } = await trial.fixture([sample('alpha')])
      const { list } = await trial.start({ ...fixture, store })
      const command = promptNamed(trial, (await list()).commands, 'alpha', 'With one skill')
      await textOf(trial, command)
      const body = 'Another body, and a longer one than before, so that no size can hide the change.'
      await store.put([sample('alpha', { body })])
      const text = await textOf(trial, command)
      if (text.trim() !== body) trial.broken(`after its body was changed, load() of "alpha" still gave ${JSON.stringify(text)}.`)
    },
  },
  {
    name: 'deleted',
    rule: 'load() of a skill that was deleted after it was listed fails with a SkillsError that names it, and the skill leaves the catalog',
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta')])
      const skills = trial.engine(fixture)
      const { entries } = await trial.answer('catalog()', () => skills.catalog())
      const command = promptNamed(trial, entries.map(entry => entry.command), 'alpha', 'With two skills')
      await fixture.store.remove('alpha')
      const error = await failureOf(trial, command)
      if (!SkillsError.is(error)) return trial.broken(`load() of "alpha", which was deleted, failed with no SkillsError but: ${messageOf(error)}`, error)
      if (!error.message.includes('alpha')) trial.broken(`the error of load() does not name "alpha": ${error.message}`, error)
      const catalog = await trial.answer('catalog()', () => skills.catalog())
      if (catalog.get(trial.nameOf('alpha')) !== undefined) trial.broken('after load() of "alpha" failed it is still in the catalog. Call the invalidate() that setup is given when a skill turns out to be gone.')
      expectNames(trial, catalog.entries.map(({ name }) => name), ['beta'], 'After "alpha" was deleted')
    },
  },
]

async function failureOf(trial: Trial, command: PromptCommand): Promise<unknown> {
  const loading = (async () => command.load('', { signal: new AbortController().signal }))()
  const outcome = await trial.within(`load() of "${command.name}"`, loading.then(() => undefined, (error: unknown) => ({ error })))
  return outcome === undefined ? trial.broken(`load() of "${command.name}", which was deleted, gave a body all the same.`) : outcome.error
}

/** That a command which names a file says truly which. */
function expectTrueFile(trial: Trial, { name, file, filePath }: PromptCommand): void {
  if (filePath === undefined) return
  if (file === undefined) return trial.broken(`"${name}" has a filePath and no file, by which the engine could tell that it was reached twice.`)
  const realPath = realpathSync(filePath).replaceAll('\\', '/')
  if (file.realPath !== realPath) trial.broken(`"${name}" says that its file is really ${file.realPath}; it is ${realPath}.`)
  const { size, ino } = statSync(filePath)
  if (file.size !== size || file.ino !== ino) trial.broken(`"${name}" says that its file has ${file.size} bytes and the inode ${file.ino}; it has ${size} and ${ino}.`)
}
