import type { Diagnostic, Host, Plugin, Provider, SkillsOptions } from '@skills/core'
import type { FileReads } from '@skills/files/internal'
import type { InvokerOptions } from '@skills/invocation'
import type { EnginePortOptions } from '@skills/invocation/skill-tool'
import type { ProgramListing, ToldSkill } from '@skills/invocation/internal'
import type { FindCommandsOptions } from '@skills/expansion/internal'

/** Parts of a distribution that {@link compat} needs. */
export interface AgentDistribution extends SkillsOptions {
  readonly port: EnginePortOptions
  readonly invoker: InvokerOptions
  /** Rules for embedded commands; `false`: there are none. */
  readonly shell: Pick<FindCommandsOptions, 'fences' | 'inline'> | false
  /** Facts about the listing of the released program. */
  readonly ofProgram?: ProgramListing | undefined
  /** True if only the places of the agent are known. */
  readonly isPlaced?: boolean
}

/** Options with which {@link compat} makes a distribution; all our distributions take them. */
export interface AgentDistributionOptions {
  readonly host: Partial<Host>
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Nothing runs, so trust decides nothing here. */
  readonly trust: { readonly all: true }
  readonly state: Provider<'state'>
  /** Skills that a program includes in its code are not examined. */
  readonly bundled: false
  readonly sharedReads?: FileReads
  readonly plugins?: readonly Plugin[]
}

/** Agent whose view of the skills is wanted. */
export interface CompatAgent {
  /** Name in a configuration, such as `codex`. */
  readonly name: string
  /** Program, and its version, that the distribution was checked against. */
  readonly checked?: { readonly program: string; readonly version: string; readonly on: string } | undefined
  /** Program of which only the places are known. Nothing is said of its listing and its fields. */
  readonly placed?: { readonly program: string } | undefined
  /** Makes its distribution. */
  readonly make: (options: AgentDistributionOptions) => AgentDistribution
}

/**
 * Place where an agent finds a skill. `here`: in the skill's present place; `shadowed`: in its present place, but
 * another skill has its name; `elsewhere`: not in its present place, but the agent would find it in the agent's own
 * folder; `not`: in neither place.
 */
export type Found = 'here' | 'shadowed' | 'elsewhere' | 'not'

/** Use that an agent makes of one field, or of one feature of a body. */
export interface FieldUse {
  /** Field as written, such as `allowed-tools`; for a body a feature such as `$ARGUMENTS`. */
  readonly field: string
  /** `other`: it has another effect than the field should have. */
  readonly use: 'used' | 'ignored' | 'other'
  /** Its effect there, in words; for `ignored` the effect that is lost, if any. */
  readonly what?: string | undefined
}

/** Treatment of one skill by one agent. */
export interface AgentCompat extends Pick<ToldSkill, 'cause'> {
  readonly agent: string
  /** `unknown`: only the places of the agent are known. */
  readonly told: ToldSkill['told'] | 'unknown'
  readonly found: Found
  /** Name by which it is invoked there; undefined if it is not found. */
  readonly name?: string | undefined
  /** File as the agent knows it; for `elsewhere` the path it would have. */
  readonly path?: string | undefined
  /** For a description that is cut: the number of its characters that are listed, and how many it has. */
  readonly toldChars?: number | undefined
  readonly ofChars?: number | undefined
  /** Sentence that says why it is not found or not listed, what of it is listed, or what has its name. */
  readonly because?: string | undefined
  /** In the order of the file. */
  readonly fields: readonly FieldUse[]
  /** Problems that the agent reports for the file, such as an exceeded limit or an invalid value. */
  readonly problems: readonly Diagnostic[]
  /** Number of commands in the body that the agent runs when the skill is invoked. */
  readonly commands: number
  /** The one change that makes it work there. Tried out if it changes the file. */
  readonly change?: Change | undefined
}

/** Change that makes a skill work with an agent. */
export interface Change {
  readonly kind: 'place' | 'name' | 'description' | 'repair' | 'rename' | 'room'
  /** Sentence for people. */
  readonly text: string
}

/** Skill with its treatment by each agent. */
export interface SkillCompat {
  /** Name by which the caller's distribution invokes it; its folder's name if that does not find it. */
  readonly name: string
  readonly path: string
  readonly agents: readonly AgentCompat[]
}

/** Number of skills that an agent finds and lists, by kind. */
export interface AgentSummary extends Pick<CompatAgent, 'name' | 'checked'> {
  readonly skills: number
  readonly here: number
  readonly elsewhere: number
  readonly shadowed: number
  readonly not: number
  /** Listed to the model, by how much of it. */
  readonly whole: number
  readonly cut: number
  readonly nameOnly: number
  /** Neither found nor listed, although the model should know it. */
  readonly lost: number
  /** With a field that is ignored although it should have an effect, or has another effect. */
  readonly misread: number
}

/** Table of skills and agents. */
export interface Compat {
  readonly agents: readonly AgentSummary[]
  /** Sorted by path. */
  readonly skills: readonly SkillCompat[]
}
