import type { Diagnostic, Host, Plugin, Provider, SkillsOptions } from '@skills/core'
import type { FileReads } from '@skills/files/internal'
import type { InvokerOptions } from '@skills/invocation'
import type { EnginePortOptions } from '@skills/invocation/skill-tool'
import type { FindCommandsOptions } from '@skills/expansion/internal'

/** What {@link compat} needs of a distribution. */
export interface AgentDistribution extends SkillsOptions {
  readonly port: EnginePortOptions
  readonly invoker: InvokerOptions
  /** What counts as an embedded command; `false`: nothing does. */
  readonly shell: Pick<FindCommandsOptions, 'fences' | 'inline'> | false
}

/** How {@link compat} has a distribution made: every distribution of ours takes these options. */
export interface AgentDistributionOptions {
  readonly host: Partial<Host>
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Nothing runs, so that trust decides nothing here. */
  readonly trust: { readonly all: true }
  readonly state: Provider<'state'>
  /** What a program brings along in its code is not asked about. */
  readonly bundled: false
  readonly sharedReads?: FileReads
  readonly plugins?: readonly Plugin[]
}

/** An agent whose view of skills is wanted. */
export interface CompatAgent {
  /** As a configuration names it: `codex`. */
  readonly name: string
  /** The program and the version that its distribution was checked against. */
  readonly checked?: { readonly program: string; readonly version: string; readonly on: string } | undefined
  /** Its distribution. */
  readonly make: (options: AgentDistributionOptions) => AgentDistribution
}

/**
 * Where an agent has a skill: `here`; `shadowed` by another of its name; `elsewhere`: not where it lies, but it would
 * be in the agent's own folder; `not`, in neither.
 */
export type Found = 'here' | 'shadowed' | 'elsewhere' | 'not'

/**
 * What the model is told of it. `user`: nothing, and that is what its author wants; `later`: nothing before a file is
 * touched that its `paths` name.
 */
export type Told = 'whole' | 'cut' | 'name' | 'no' | 'user' | 'later'

/** What an agent makes of one field, or of one thing that a body asks for. */
export interface FieldUse {
  /** As it is written: `allowed-tools`; of a body `$ARGUMENTS`. */
  readonly field: string
  /** `other`: it does something else than the field says. */
  readonly use: 'used' | 'ignored' | 'other'
  /** What it changes there, in words; of `ignored` what that costs, where anything. */
  readonly what?: string | undefined
}

/** What one agent makes of one skill. */
export interface AgentCompat {
  readonly agent: string
  readonly found: Found
  /** What it is invoked by there; undefined where it is not found. */
  readonly name?: string | undefined
  /** The file as the agent has it; of `elsewhere` where it would be. */
  readonly path?: string | undefined
  readonly told: Told
  /** Why it is not found or not told of, or what has its place: a sentence. */
  readonly because?: string | undefined
  /** In the order of the file. */
  readonly fields: readonly FieldUse[]
  /** What the agent says of the file: a limit that it breaks, a value that it cannot read. */
  readonly problems: readonly Diagnostic[]
  /** Commands in the body that the agent runs when the skill is invoked. */
  readonly commands: number
  /** The one change that makes it work there; tried, where it changes the file. */
  readonly change?: Change | undefined
}

/** A change that was tried and works. */
export interface Change {
  readonly kind: 'place' | 'name' | 'description' | 'repair' | 'rename' | 'room'
  /** A sentence. */
  readonly text: string
}

/** One skill and what each agent makes of it. */
export interface SkillCompat {
  /** What it is invoked by in the distribution of the caller; its folder's name where that does not find it. */
  readonly name: string
  readonly path: string
  readonly agents: readonly AgentCompat[]
}

/** How many skills an agent has how. */
export interface AgentSummary extends Pick<CompatAgent, 'name' | 'checked'> {
  readonly skills: number
  readonly here: number
  readonly elsewhere: number
  readonly shadowed: number
  readonly not: number
  /** Told to the model, by how. */
  readonly whole: number
  readonly cut: number
  readonly nameOnly: number
  /** Neither found nor told of, although the model should be. */
  readonly lost: number
  /** Of which a field is ignored that does something, or means something else. */
  readonly misread: number
}

/** Skills × agents. */
export interface Compat {
  readonly agents: readonly AgentSummary[]
  /** By path. */
  readonly skills: readonly SkillCompat[]
}
