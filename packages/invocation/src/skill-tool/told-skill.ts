import type { Reason, Skills } from '@skills/core'
import type { InvokerOptions } from '../invoker.js'
import type { EnginePortOptions } from './engine-port.js'
import type { OwnSkill } from './formatter.js'

/**
 * Part of a skill that a listing shows to the model. `whole`: all of its description; `cut`: the beginning of it;
 * `name`: its name alone; `user`: nothing, because its author or a setting keeps it for the user; `later`: nothing until
 * a file that matches its `paths` is touched; `no`: nothing.
 */
export type Told = 'whole' | 'cut' | 'name' | 'no' | 'user' | 'later'

/** Part of a skill that the model is told, with the reason and the way to change it. */
export interface ToldSkill {
  readonly told: Told
  /** Kind of the reason; undefined for `whole`. `strategy`: the listing shortens it at any budget. */
  readonly cause?: Reason['cause'] | 'strategy' | undefined
  /** UTF-16 code units of description and when-to-use that the model reads. */
  readonly chars: number
  /** UTF-16 code units of description and when-to-use, each on one line. */
  readonly of: number
  /** Sentence with the reason; undefined for `whole`. */
  readonly because?: string | undefined
  /** Sentence that says what to do if the model should be told more. */
  readonly remedy?: string | undefined
  /** File that sets this, if it is known. */
  readonly path?: string | undefined
  /** All reasons why the listing does not have it; empty if it does. */
  readonly reasons: readonly Reason[]
}

/** Facts about the listing of a released program that do not follow from the skills that it finds. */
export interface ProgramListing {
  /** The program's own skills that always have their share of its listing, as recorded. Default: none. */
  readonly own?: readonly OwnSkill[] | undefined
  /** Sentence that says how a model is told of skills, if the program itself tells its model of none. */
  readonly tellsNothing?: string | undefined
}

/** Engine with the rules of its distribution for a listing. */
export interface ToldEngine {
  readonly skills: Skills
  readonly distribution: {
    readonly name?: string | undefined
    readonly port: EnginePortOptions
    readonly invoker?: InvokerOptions | undefined
    readonly ofProgram?: ProgramListing | undefined
  }
}

/**
 * Returns the UTF-16 code units that skills of an agent itself take in a listing, with a line feed each.
 * @param most UTF-16 code units of a description that the listing shows
 */
export function ownChars(own: readonly OwnSkill[], most: number): number {
  const lengths = own.map(
    ([name, units]) => `- ${name}\n`.length + (units > 0 ? ': '.length + Math.min(units, most) : 0),
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}
