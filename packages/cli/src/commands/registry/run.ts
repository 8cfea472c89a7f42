import { resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import { openRegistry } from '@skills/registry'
import { exportSite, versionJson, type SkillName } from '@skills/registry/internal'
import { makePrivateFolder, stateFolderOf } from '@skills/state'
import { maskSecrets } from '@skills/state/secrets'
import { namedRoot } from '@skills/state/writer'
import { again, pair } from '../../engine/again.js'
import { hostOf } from '../../engine/engine.js'
import { exitCodes, type Io } from '../../io.js'
import { limitOf } from '../../arguments/limit-option.js'
import { printableLine } from '../../output/printable.js'
import { counted } from '../../output/problems.js'
import { writeJson } from '../../output/write-json.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import { foundText, refusedText, versionsText } from './versions-text.js'
import type { FlagOf } from '../../arguments/invocation.js'
import type { Call, RegistryInvocation } from './call.js'
import type { command } from './command.js'

type Flag = FlagOf<keyof typeof command.options>

interface Action {
  /** Its arguments, as help shows them. */
  readonly args: string
  readonly least: number
  readonly most: number
  /** Its own options. */
  readonly options: readonly Flag[]
  readonly run: (call: Call) => Promise<number>
}

/** Skills that a terminal and a program get by default. */
const usualLimit = 20
/** Most that a registry answers. */
const mostFound = 200

/** Loads what reads sources, which the other actions do not need. */
const add: Action['run'] = async call => (await import('./add.js')).add(call)

/** Loads what serves HTTP. */
const serve: Action['run'] = async call => (await import('./serve.js')).serve(call)

const actions: Readonly<Record<string, Action>> = {
  init: { args: '', least: 0, most: 0, options: [], run: init },
  add: { args: 'SOURCE…', least: 1, most: Infinity, options: ['--namespace', '--skill', '--quiet'], run: add },
  publish: { args: 'SOURCE', least: 1, most: 1, options: ['--namespace', '--skill', '--label', '--quiet'], run: add },
  search: { args: 'QUERY…', least: 1, most: Infinity, options: ['--namespace', '--limit'], run: search },
  show: { args: 'NAMESPACE/NAME', least: 1, most: 1, options: [], run: show },
  yank: { args: 'NAMESPACE/NAME VERSION', least: 2, most: 2, options: ['--undo'], run: yank },
  tag: { args: 'NAMESPACE/NAME TAG VERSION', least: 3, most: 3, options: [], run: tag },
  gc: { args: '', least: 0, most: 0, options: ['--keep'], run: gc },
  export: { args: 'FOLDER', least: 1, most: 1, options: ['--namespace'], run: exported },
  serve: { args: '', least: 0, most: 0, options: ['--port', '--host'], run: serve },
}

const ownFlags: readonly Flag[] = [
  '--namespace',
  '--skill',
  '--label',
  '--undo',
  '--limit',
  '--keep',
  '--quiet',
  '--port',
  '--host',
]

/** `skills registry`. See docs/reference/registry.md. */
export async function run(invocation: RegistryInvocation, io: Io): Promise<number> {
  const [name = '', ...args] = invocation.args
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined)
    throw new UsageError(
      `skills registry has no action "${printableLine(name)}", only ${Object.keys(actions).join(', ')}.${proposal(name, Object.keys(actions))}`,
    )
  const usage = `skills registry ${name}${action.args && ` ${action.args}`}`
  if (args.length < action.least || args.length > action.most) throw new UsageError(`Write: ${usage}`)
  const idle = ownFlags.find(flag => !action.options.includes(flag) && invocation.has(flag))
  if (idle !== undefined) throw new UsageError(`skills registry ${name} has no ${idle}: leave it out.`)
  if (name === 'init' && named({ invocation, io }) === undefined)
    makePrivateFolder(stateFolderOf(hostOf(invocation, io)), process.geteuid?.())
  const registry = await openRegistry({ at: placeOf({ invocation, io }), create: name === 'init' }).catch(
    (error: unknown) => {
      const given = invocation.text('--registry')
      // Without the option, the next command finds its place by the same variable.
      if (given === undefined || !(error instanceof SkillsError) || error.code !== 'E_REGISTRY_NOT_FOUND') throw error
      throw new SkillsError(error.code, error.message, {
        hint: `Make one: ${again(`registry init ${pair('--registry', given).join('')}`, invocation, io)}`,
        cause: error,
      })
    },
  )
  try {
    return await action.run({ registry, args, invocation, io })
  } finally {
    await registry.close()
  }
}

/** Returns the registry that an option or the variable names. */
function named({ invocation, io }: Pick<Call, 'invocation' | 'io'>): string | undefined {
  const given = invocation.text('--registry') ?? io.env['SKILLS_REGISTRY']
  return given === '' ? undefined : given
}

/** Returns the file or the URL of the registry. */
function placeOf({ invocation, io }: Pick<Call, 'invocation' | 'io'>): string {
  const given = named({ invocation, io })
  if (given === undefined) return `${stateFolderOf(hostOf(invocation, io))}/registry.db`
  return /^postgres(?:ql)?:/.test(given) ? given : resolve(io.cwd, given)
}

async function init(call: Call): Promise<number> {
  const place = maskSecrets(placeOf(call))
  return said(call, { registry: place }, `${place} is a registry.\n`)
}

async function search({ registry, args, invocation, io }: Call): Promise<number> {
  const namespace = invocation.text('--namespace')
  const limit = Math.min(limitOf(invocation.text('--limit')) ?? usualLimit, mostFound)
  const query = args.join(' ')
  const found = await registry.search(query, {
    limit,
    signal: io.signal,
    ...(namespace !== undefined && { prefix: `${namespace}/` }),
  })
  if (invocation.json)
    writeJson({ query, results: found.map(({ version, score }) => ({ score, ...versionJson(version) })) }, io.stdout)
  else io.stdout.write(foundText(found, io.stdout))
  if (found.length === 0) io.stderr.write(`No skill fits ${JSON.stringify(printableLine(query))}.\n`)
  return exitCodes.ok
}

async function show({ registry, args: [given = ''], invocation, io }: Call): Promise<number> {
  const versions = await registry.versions(skillOf(given))
  if (versions.length === 0)
    throw new SkillsError('E_REGISTRY_NOT_FOUND', `The registry has no skill ${printableLine(given)}.`, {
      hint: 'Search for it: skills registry search WORDS',
    })
  if (invocation.json) writeJson({ versions: versions.map(versionJson) }, io.stdout)
  else io.stdout.write(versionsText(versions))
  return exitCodes.ok
}

async function yank(call: Call): Promise<number> {
  const {
    registry,
    args: [given = '', version = ''],
    invocation,
  } = call
  const isYanked = !invocation.has('--undo')
  const changed = await registry.yank(skillOf(given), version, isYanked)
  return said(call, versionJson(changed), `${given} ${version} is ${isYanked ? 'yanked' : 'not yanked'}.\n`)
}

async function tag(call: Call): Promise<number> {
  const {
    registry,
    args: [given = '', name = '', version = ''],
  } = call
  const changed = await registry.tag(skillOf(given), name, version)
  return said(call, versionJson(changed), `${given} ${name} is ${changed.label ?? changed.digest}.\n`)
}

async function gc(call: Call): Promise<number> {
  const keep = limitOf(call.invocation.text('--keep'), '--keep')
  const removed = await call.registry.gc({ keep, signal: call.io.signal })
  return said(call, removed, `${counted(removed.versions, 'version')} and ${counted(removed.files, 'file')} removed\n`)
}

async function exported(call: Call): Promise<number> {
  const {
    registry,
    args: [folder = ''],
    invocation,
    io,
  } = call
  const namespace = invocation.text('--namespace')
  const root = namedRoot(resolve(io.cwd, folder), io.cwd)
  const { skills, refused } = await exportSite(registry, root, {
    signal: io.signal,
    ...(namespace !== undefined && { prefix: `${namespace}/` }),
  })
  said(
    call,
    { skills, refused: refused.map(({ name, error }) => ({ name, message: error.message })) },
    `${counted(skills, 'skill')} written to ${folder}\n`,
  )
  io.stderr.write(refusedText(refused))
  return refused.length === 0 ? exitCodes.ok : exitCodes.failed
}

/** Prints a result. */
function said({ invocation, io: { stdout } }: Pick<Call, 'invocation' | 'io'>, value: object, text: string): number {
  if (invocation.json) writeJson(value, stdout)
  else stdout.write(`${printableLine(text.trimEnd())}\n`)
  return exitCodes.ok
}

function skillOf(text: string): SkillName {
  const [namespace = '', name = '', ...more] = text.split('/')
  if (namespace === '' || name === '' || more.length > 0)
    throw new UsageError(`Name a skill as NAMESPACE/NAME, not ${JSON.stringify(printableLine(text))}.`)
  return { namespace, name }
}
