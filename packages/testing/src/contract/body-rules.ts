import { realpathSync, statSync } from 'node:fs'
import { defineProvider, loadResult, type PromptCommand, type Provider } from '@skills/core'
import { expectBody, expectNames, heldBytes, promptNamed, some, textOf } from './reading.js'
import { largeSample, sample } from './samples.js'
import type { SampleSkill } from './fixture.js'
import type { SourceRule, Trial } from './trial.js'

const bodyBytes = 128 * 1024

/**
 * Changes that leave the name and size of a skill the same: the changed text has as many characters as that of the
 * sample.
 */
const differences: readonly (readonly [what: string, changes: Partial<SampleSkill>])[] = [
  ['another description and the same body', { description: sample('alpha').description.toUpperCase() }],
  ['the same description and another body of the same length', { body: sample('alpha').body.replace('Do', 'So') }],
]

/** Skills so large together that half their size exceeds any garbage left in memory. */
const many = Array.from({ length: 64 }, (_, at) => largeSample(`skill-${at}`, bodyBytes))

/** Rules for the fields of a command, and for the time at which its body is read. */
export const bodyRules: readonly SourceRule[] = [
  {
    name: 'identity',
    rule: 'a skill that is reached twice is one command, and two of one name that differ are two',
    needs: ['identity'],
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta')])
      const { provider } = fixture
      const twice = trial.engine(fixture, { plugins: [{ ...provider, id: `${provider.id}-again` }] })
      const catalog = await trial.catalog(twice)
      const alpha = promptNamed(trial, catalog, 'alpha', 'Through the engine')
      if (alpha.file === undefined && alpha.digest === undefined) {
        trial.broken(
          "a command has neither file nor digest, by which the engine could tell. Give it one, or say why it has none: without: { identity: '…' }.",
        )
      }
      expectNames(trial, catalog, ['alpha', 'beta'], 'With the same store in two sources')
      for (const command of [alpha, promptNamed(trial, catalog, 'beta', 'Through the engine')])
        expectTrueFile(trial, command)
      for (const [what, changes] of differences) await expectTwo(trial, sample('alpha'), sample('alpha', changes), what)
    },
  },
  {
    name: 'not-kept',
    rule: 'no field of a command holds its body, and no one else does once it was listed and loaded',
    async check(trial) {
      const { command } = await trial.one(sample('alpha', { body: 'First line.\n\nThe marked 4e1f line.' }))
      const holders = Object.entries(command)
        .filter(([, value]) => JSON.stringify(value)?.includes('4e1f') === true)
        .map(([key]) => key)
      if (holders.length > 0) trial.broken(`${some(holders)} of "alpha" holds the body before anyone asked for it.`)
      const large = await trial.start(await trial.fixture(many))
      // Listing and loading once puts their code into memory, so that it is not counted below.
      await textOf(trial, command)
      const before = await heldBytes()
      const listed = await large.list()
      for (const { name } of many)
        await textOf(trial, promptNamed(trial, listed, name, `With ${many.length} large skills`))
      const held = (await heldBytes()) - before
      if (held > (many.length * bodyBytes) / 2)
        trial.broken(
          `${held} bytes more are in memory after the bodies of ${listed.commands.length} skills were listed and loaded, which have ${bodyBytes} each. Read a body when load() is called, and keep neither it nor a piece of the text that it stood in.`,
        )
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
      const counter = trial.counting(fixture)
      const result = await list()
      const { bytes } = counter
      await textOf(trial, promptNamed(trial, result, 'skill-7', 'With 20 large skills'))
      // A counter that sees no reads would pass every check.
      if (counter.bytes - bytes < bodyBytes * 0.9)
        trial.broken(
          `it cannot be checked, because countReads() counted ${counter.bytes - bytes} bytes when load() read a body of ${bodyBytes}: it does not see how this source reads.`,
        )
      if (bytes > (names.length * bodyBytes) / 4)
        trial.broken(
          `list() read ${bytes} bytes of ${names.length} skills whose bodies have ${bodyBytes} each; what stands before the bodies has less than ${names.length * 1024}.`,
        )
    },
  },
  {
    name: 'lazy-load',
    rule: 'a body is read alone',
    needs: ['countReads'],
    async check(trial) {
      const fixture = await trial.fixture(Array.from({ length: 20 }, (_, at) => largeSample(`skill-${at}`, bodyBytes)))
      const { list } = await trial.start(fixture)
      const command = promptNamed(trial, await list(), 'skill-7', 'With 20 large skills')
      const counter = trial.counting(fixture)
      await textOf(trial, command)
      if (counter.bytes > 4 * bodyBytes)
        trial.broken(`load() of "skill-7" read ${counter.bytes} bytes for a body of ${bodyBytes}.`)
    },
  },
  {
    name: 'fresh-body',
    rule: 'load() gives the body as it is at that moment',
    async check(trial) {
      const { store, command } = await trial.one()
      await textOf(trial, command)
      const body = 'Another body, and a longer one than before, so that no size can hide the change.'
      await store.put([sample('alpha', { body })])
      await expectBody(trial, command, body, 'after its body was changed, load() of "alpha" still')
    },
  },
  {
    name: 'deleted',
    rule: 'load() of a skill that was deleted after it was listed fails with a SkillsError that names it, and the skill leaves the catalog',
    async check(trial) {
      const fixture = await trial.fixture([sample('alpha'), sample('beta')])
      const skills = trial.engine(fixture)
      const command = promptNamed(trial, await trial.catalog(skills), 'alpha', 'With two skills')
      await fixture.store.remove('alpha')
      const load = 'load() of "alpha", which was deleted,'
      const outcome = await trial.ended(load, async () => command.load('', { signal: new AbortController().signal }))
      const error = trial.expectSkillsError(outcome, load)
      if (!error.message.includes('alpha'))
        trial.broken(`the error of load() does not name "alpha": ${error.message}`, error)
      const catalog = await trial.catalog(skills)
      if (catalog.get(trial.nameOf('alpha')) !== undefined)
        trial.broken(
          'after load() of "alpha" failed it is still in the catalog. Call the invalidate() that setup is given when a skill turns out to be gone.',
        )
      expectNames(trial, catalog, ['beta'], 'After "alpha" was deleted')
    },
  },
]

/** Facts about a file, and each as a message words it. */
const fileFacts = [
  ['size', (size: number) => `${size} bytes`],
  ['dev', (dev: number) => `the device ${dev} (dev)`],
  ['ino', (ino: number) => `the inode ${ino}`],
  ['mtimeMs', (ms: number) => `the time ${ms} of its last change (mtimeMs)`],
  ['ctimeMs', (ms: number) => `the time ${ms} of the last change of its inode (ctimeMs)`],
] as const

/** Expects that an engine keeps both of two different skills that have one name, each in its own store. */
async function expectTwo(trial: Trial, one: SampleSkill, other: SampleSkill, what: string): Promise<void> {
  const commands: PromptCommand[] = []
  // Each source is set up in an engine of its own, because an engine has only one of what leads a source to its store,
  // such as the home folder.
  for (const skill of [one, other]) commands.push((await trial.one(skill)).command)
  const [first, second] = commands.map((command, at) => giving(command, `store-${at + 1}`))
  if (first === undefined || second === undefined) return
  const { collisions, warnings } = await trial.catalog(trial.engineOf(first, second))
  const failure = warnings.find(({ code }) => code === 'digest-failed')
  if (failure !== undefined) trial.broken(`digest() failed: ${failure.message}`)
  const lost = collisions.find(({ rule }) => rule === 'same-file' || rule === 'same-text')
  if (lost === undefined) return
  const how =
    lost.rule === 'same-file'
      ? 'Let file.realPath tell one file from every other.'
      : 'Make digest() of everything that a skill says: description and body.'
  trial.broken(
    `two skills "${one.name}" in two stores, the second with ${what}, count as one (${lost.rule}), so that one of them is lost. ${how}`,
  )
}

/** Makes a source that lists one given command. */
function giving(command: PromptCommand, id: string): Provider<'source'> {
  return defineProvider({
    kind: 'source',
    id,
    setup: () => ({ source: command.source, list: () => loadResult({ commands: [command] }) }),
  })
}

/** Expects that the `file` of a command describes the file at its `filePath`. */
function expectTrueFile(trial: Trial, { name, file, filePath }: PromptCommand): void {
  if (filePath === undefined) return
  if (file === undefined)
    return trial.broken(
      `"${name}" has a filePath and no file, by which the engine could tell that it was reached twice.`,
    )
  const realPath = realpathSync(filePath).replaceAll('\\', '/')
  if (file.realPath !== realPath)
    trial.broken(`"${name}" says that its file is really ${file.realPath}; it is ${realPath}.`)
  const stats = statSync(filePath)
  for (const [fact, told] of fileFacts) {
    if (file[fact] !== stats[fact])
      trial.broken(`"${name}" says that its file has ${told(file[fact])}; it has ${stats[fact]}.`)
  }
}
