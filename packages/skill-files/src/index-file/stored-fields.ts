import type { SkillFields } from '@skills/skill-md'
import type { GivenFields } from '../file-skill.js'

/** Fields that are asked of one skill at a time, if ever: parsed then. What everyone is asked of is parsed with the first field. */
const late = ['metadata', 'hooks', 'allowedTools', 'disallowedTools', 'license', 'compatibility', 'version'] as const
const early = [
  'name', 'whenToUse', 'model', 'effort', 'context', 'agent', 'background', 'argumentHint', 'argumentNames', 'userInvocable', 'disableModelInvocation', 'paths',
  'shell', 'onShellError', 'requires', 'aliases',
] as const

type Early = Pick<SkillFields, 'description' | typeof early[number]>
type Late = Pick<SkillFields, typeof late[number]>

/** The texts that stand for the fields of a skill; an empty one for what most skills have. */
export interface FieldTexts {
  readonly description: string
  readonly early: string
  readonly late: string
}

/** In the early fields, a description that stands for itself elsewhere. */
const elsewhere = ''
const onlyDescription: Early = Object.freeze({ description: elsewhere })
const nothing: Late = Object.freeze({})
/** Half a surrogate pair, which an escape in YAML can write and UTF-8 cannot. */
const loneSurrogate = /\p{Surrogate}/u

/** @param name what the skill is called without a `name` of its own, so that one of the same text need not be kept */
export function fieldTexts(fields: GivenFields, name: string): FieldTexts {
  const { description } = fields
  const isApart = description !== undefined && !loneSurrogate.test(description)
  const own: Record<string, unknown> = pick(fields, early)
  if (own['name'] === name) delete own['name']
  const isUsual = isApart && Object.keys(own).length === 0
  const rest = pick(fields, late)
  return {
    description: isApart ? description : '',
    early: isUsual ? '' : JSON.stringify({ ...own, ...(description === undefined ? {} : { description: isApart ? elsewhere : description }) }),
    late: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
  }
}

function pick(fields: GivenFields, names: readonly (keyof SkillFields)[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap(name => fields[name] === undefined ? [] : [[name, fields[name]]]))
}

/** The fields of a skill that was stored, taken out of the texts when they are asked for: most of them never are. */
export class StoredFields implements GivenFields {
  readonly #texts: Buffer
  readonly #start: number
  readonly #lateStart: number
  readonly #lateEnd: number
  readonly #early: Early
  #text: string | undefined
  #late: Late | undefined

  /**
   * @param texts those of all skills
   * @param start where this one's begin: the description, then the late fields, then the early ones. Offsets in bytes
   * Throws a `SyntaxError` when the early fields are no JSON.
   */
  constructor(texts: Buffer, start: number, lateStart: number, earlyStart: number, end: number) {
    this.#texts = texts
    this.#start = start
    this.#lateStart = lateStart
    this.#lateEnd = earlyStart
    this.#early = earlyStart === end ? onlyDescription : JSON.parse(texts.toString('utf8', earlyStart, end)) as Early
  }

  /** The description, or what stands in for it. */
  get text(): string {
    return (this.#text ??= this.#texts.toString('utf8', this.#start, this.#lateStart))
  }

  get #rest(): Late {
    return (this.#late ??= this.#lateStart === this.#lateEnd ? nothing : JSON.parse(this.#texts.toString('utf8', this.#lateStart, this.#lateEnd)) as Late)
  }

  get hasDescription(): boolean {
    return this.#early.description !== undefined
  }

  get description(): string | undefined {
    const { description } = this.#early
    return description === elsewhere ? this.text : description
  }

  get name(): GivenFields['name'] {
    return this.#early.name
  }

  get whenToUse(): GivenFields['whenToUse'] {
    return this.#early.whenToUse
  }

  get model(): GivenFields['model'] {
    return this.#early.model
  }

  get effort(): GivenFields['effort'] {
    return this.#early.effort
  }

  get context(): GivenFields['context'] {
    return this.#early.context
  }

  get agent(): GivenFields['agent'] {
    return this.#early.agent
  }

  get background(): GivenFields['background'] {
    return this.#early.background
  }

  get argumentHint(): GivenFields['argumentHint'] {
    return this.#early.argumentHint
  }

  get argumentNames(): GivenFields['argumentNames'] {
    return this.#early.argumentNames
  }

  get userInvocable(): GivenFields['userInvocable'] {
    return this.#early.userInvocable
  }

  get disableModelInvocation(): GivenFields['disableModelInvocation'] {
    return this.#early.disableModelInvocation
  }

  get paths(): GivenFields['paths'] {
    return this.#early.paths
  }

  get shell(): GivenFields['shell'] {
    return this.#early.shell
  }

  get onShellError(): GivenFields['onShellError'] {
    return this.#early.onShellError
  }

  get requires(): GivenFields['requires'] {
    return this.#early.requires
  }

  get aliases(): GivenFields['aliases'] {
    return this.#early.aliases
  }

  get metadata(): GivenFields['metadata'] {
    return this.#rest.metadata
  }

  get hooks(): GivenFields['hooks'] {
    return this.#rest.hooks
  }

  get allowedTools(): GivenFields['allowedTools'] {
    return this.#rest.allowedTools
  }

  get disallowedTools(): GivenFields['disallowedTools'] {
    return this.#rest.disallowedTools
  }

  get license(): GivenFields['license'] {
    return this.#rest.license
  }

  get compatibility(): GivenFields['compatibility'] {
    return this.#rest.compatibility
  }

  get version(): GivenFields['version'] {
    return this.#rest.version
  }
}
