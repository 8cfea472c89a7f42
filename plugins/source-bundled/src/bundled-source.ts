import * as s from '@skills/core/schema'
import { isAbsolute } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  compareCodeUnits,
  defineProvider,
  loadResult,
  SkillsError,
  withDeadline,
  type Command,
  type Diagnostic,
  type LoadResult,
  type MaybePromise,
  type Provider,
  type SetupContext,
  type Source,
} from '@skills/core'
import { bundledCommand, type BundledStore } from './bundled-command.js'
import { nameOf, wrongSkill } from './check-skill.js'
import type { OwnField } from '@skills/core/fields'
import type { BundledSkill } from './bundled-skill.js'

const bundledSourceOptions = s.options('bundledSource()', {
  /** Skills, or a function that returns them, called when the source is listed and when one of them is invoked. */
  skills: s
    .either(s.list(s.typed<BundledSkill>('a skill')), s.fn<() => MaybePromise<readonly BundledSkill[]>>())
    .required(),
  /**
   * Absolute path of a folder of the user for extracted files. It is made if it is missing. Default: `bundled` in the
   * user's cache folder.
   */
  cacheDir: s.text('an absolute path', isAbsolute),
})

export interface BundledSourceOptions extends s.OptionsOf<typeof bundledSourceOptions> {}

/**
 * Makes the source of skills that are part of a program's code: a text to be expanded, or blocks made by code, with
 * files that are extracted when a skill is first invoked. See docs/reference/bundled.md, "Bundled skills".
 * @throws SkillsError `E_INVALID_OPTION` for an invalid skill, such as one with a file outside its folder, and for a
 *   relative `cacheDir`. The skills that a function returns are checked when they are listed: an invalid skill is
 *   reported as `invalid-bundled-skill`, and the others are listed
 */
export function bundledSource(given: BundledSourceOptions): Provider<'source'> {
  const { skills, cacheDir } = bundledSourceOptions.read(given)
  if (typeof skills !== 'function') {
    const [wrong] = checked(skills, []).errors
    if (wrong !== undefined) throw new SkillsError('E_INVALID_OPTION', wrong.message, { hint: wrong.hint })
  }
  const ask = typeof skills === 'function' ? skills : () => skills
  return defineProvider({ kind: 'source', id: 'bundled', setup: ctx => new BundledSource(ask, cacheDir, ctx) })
}

class BundledSource implements Source, BundledStore {
  readonly source = 'bundled'
  readonly fields: readonly OwnField[]
  readonly #ctx: Pick<SetupContext, 'host' | 'report' | 'invalidate'>
  /** Commands by registration, so that an unchanged registration stays the same command. */
  readonly #commands = new WeakMap<BundledSkill, Command>()
  #listed: LoadResult | undefined

  constructor(
    private readonly given: () => MaybePromise<readonly BundledSkill[]>,
    private readonly cacheDir: string | undefined,
    ctx: Pick<SetupContext, 'host' | 'words' | 'report' | 'invalidate'>,
  ) {
    this.fields = ctx.words?.fields ?? []
    this.#ctx = ctx
  }

  async list({ signal }: { readonly signal: AbortSignal }): Promise<LoadResult> {
    const { skills, errors } = await this.#current(signal)
    const sorted = [...skills.values()].sort((a, b) => compareCodeUnits(a.name, b.name))
    return (this.#listed = loadResult({ commands: sorted.map(skill => this.#commandOf(skill)), errors }))
  }

  /** Reads the registrations again. If they are the same, there is no change. */
  async refresh(
    _paths: readonly string[] | undefined,
    call: { readonly signal: AbortSignal },
  ): Promise<LoadResult | undefined> {
    const before = this.#listed
    const now = await this.list(call)
    const isSame =
      before !== undefined &&
      now.commands.length === before.commands.length &&
      now.commands.every((command, at) => command === before.commands[at]) &&
      isDeepStrictEqual(now.errors, before.errors)
    return isSame ? undefined : now
  }

  async registered(name: string, signal: AbortSignal): Promise<BundledSkill | undefined> {
    const found = (await this.#current(signal)).skills.get(name)
    if (found === undefined) this.#ctx.invalidate()
    return found
  }

  async folderOf(skill: BundledSkill): Promise<string | undefined> {
    if (skill.files === undefined) return undefined
    const { extractSkill } = await import('./extract-skill.js')
    return extractSkill(skill, skill.files, { ...this.#ctx, cacheDir: this.cacheDir })
  }

  async #current(signal: AbortSignal): Promise<Checked> {
    return checked(await withDeadline(this.given, { signals: [signal] }), this.fields)
  }

  #commandOf(skill: BundledSkill): Command {
    const command = this.#commands.get(skill) ?? bundledCommand(skill, this)
    this.#commands.set(skill, command)
    return command
  }
}

interface Checked {
  readonly skills: ReadonlyMap<string, BundledSkill>
  readonly errors: readonly (Diagnostic & { readonly hint: string })[]
}

/** Returns the valid skills by name, and the problems of the others. Of two with one name, the first is used. */
function checked(given: readonly BundledSkill[], fields: readonly OwnField[]): Checked {
  if (!Array.isArray(given))
    throw new SkillsError('E_INVALID_OPTION', 'Bundled skills have to be registered as a list.', {
      hint: 'Give bundledSource({ skills: [] }), or a function that gives a list.',
    })
  const skills = new Map<string, BundledSkill>()
  const errors: Checked['errors'][number][] = []
  for (const skill of given) {
    const name = nameOf(skill)
    const wrong = wrongSkill(skill, fields) ?? (skills.has(skill.name) ? 'is registered twice' : undefined)
    if (wrong === undefined) skills.set(skill.name, skill)
    else {
      errors.push({
        severity: 'error',
        type: 'validation',
        code: 'invalid-bundled-skill',
        ...(name !== undefined && { name }),
        message: `The bundled skill${name === undefined ? '' : ` ${JSON.stringify(name)}`} ${wrong}.`,
        hint: 'Correct the skills that are given to bundledSource().',
      })
    }
  }
  return { skills, errors }
}
