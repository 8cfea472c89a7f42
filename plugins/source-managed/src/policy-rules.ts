import { nameKey, type Command, type GateRules, type Note, type PromptCommand, type SourceName } from '@skills/core'
import { fixedSources, type Policy } from './policy.js'

/** Combined rules of several policies. The restrictions of each apply. */
export class PolicyRules implements GateRules {
  /** Policy that names a skill, by each compared form of the name. */
  readonly #disabledSkills: ReadonlyMap<string, { readonly written: string; readonly path: string }>

  constructor(private readonly policies: readonly Policy[]) {
    this.#disabledSkills = new Map(
      policies.flatMap(({ path, disabledSkills }) =>
        disabledSkills.map(written => [comparedForm(written), { written, path }] as const),
      ),
    )
  }

  source(source: SourceName): string | undefined {
    if (fixedSources.includes(source)) return undefined
    for (const policy of this.policies) {
      const bar = barOn(source, policy)
      if (bar !== undefined) return bar.reason
    }
    return undefined
  }

  /**
   * Checks a command by its own source, because a provider may give commands of another, such as additional folders.
   */
  command(command: Command): string | undefined {
    const reason = this.source(command.source)
    // A command that runs in the host is not a skill.
    if (reason !== undefined || this.#disabledSkills.size === 0 || command.type !== 'prompt') return reason
    const found = this.#entryFor(namesOf(command))
    return found && `The policy ${found.path} names "${found.written}" among its disabled skills.`
  }

  forbidsShell(): string | undefined {
    const policy = this.policies.find(({ disableShell }) => disableShell)
    if (policy === undefined) return undefined
    return policy.isBroken
      ? `The policy ${policy.path} cannot be understood, so no command embedded in a skill runs.`
      : `The policy ${policy.path} switches off commands embedded in skills.`
  }

  /** Returns notes on how the policies affect a name, with the files to look at. */
  notesOn(name: string, command: Command | undefined): readonly Note[] {
    const skill = this.#entryFor([name, ...(command?.type === 'prompt' ? namesOf(command) : [])])
    return this.policies.flatMap((policy): readonly Note[] => {
      const { path } = policy
      const note = (text: string): Note => ({ text, path })
      if (policy.isBroken)
        return [
          note(
            `${path} cannot be understood, so only managed and built-in commands load. An administrator has to correct it.`,
          ),
        ]
      const named =
        skill?.path === path
          ? [
              note(
                `"skills.disabledSkills" in ${path} names "${skill.written}"; only an administrator can change that.`,
              ),
            ]
          : []
      const bar = command === undefined ? undefined : barOn(command.source, policy)
      const source =
        bar === undefined
          ? []
          : [
              note(
                `"skills.${bar.key}" in ${path} excludes the source of this skill; only an administrator can change that.`,
              ),
            ]
      const unknown =
        command === undefined
          ? unknownPlaces(policy).map(words => note(`${words}, so another source may have a skill of this name.`))
          : []
      const shell =
        policy.disableShell && command?.type === 'prompt'
          ? [note(`"skills.disableShell" in ${path} keeps commands embedded in skills from running.`)]
          : []
      return [...named, ...source, ...unknown, ...shell]
    })
  }

  #entryFor(names: readonly string[]): { readonly written: string; readonly path: string } | undefined {
    return names.map(name => this.#disabledSkills.get(comparedForm(name))).find(found => found !== undefined)
  }
}

/** Returns every name of a skill. */
function namesOf({ name, displayName, aliases, source, qualifier = source }: PromptCommand): readonly string[] {
  return [name, displayName, ...aliases, `${qualifier}:${name}`, `${source}:${name}`]
}

/** Returns the compared form of a name, so that neither another case nor a slash before it avoids a restriction. */
function comparedForm(name: string): string {
  return nameKey(name.trim().replace(/^\/+/, '')).toLowerCase()
}

/** Returns why a policy switches a source off, and by which key. Additional folders belong to the project. */
function barOn(source: SourceName, policy: Policy): { readonly key: string; readonly reason: string } | undefined {
  const { path, isBroken, disabledSources, allowedSources } = policy
  if (fixedSources.includes(source)) return undefined
  if (isBroken)
    return {
      key: 'allowedSources',
      reason: `The policy ${path} cannot be understood, so only managed and built-in commands load.`,
    }
  const also = source === 'additional' ? ['additional', 'project'] : [source]
  const disabled = also.find(one => disabledSources.includes(one))
  if (disabled !== undefined)
    return { key: 'disabledSources', reason: `The policy ${path} switches off the source "${disabled}".` }
  const counted = also.at(-1) ?? source
  return allowedSources === undefined || allowedSources.includes(counted)
    ? undefined
    : { key: 'allowedSources', reason: `The policy ${path} does not allow the source "${counted}".` }
}

/** Returns the sources that a policy disables. Those that cannot be switched off stay on, even if it names them. */
function unknownPlaces({ path, disabledSources, allowedSources }: Policy): readonly string[] {
  const off = disabledSources.filter(name => !fixedSources.includes(name))
  const on = allowedSources?.filter(name => !fixedSources.includes(name))
  return [
    ...(off.length === 0 ? [] : [`"skills.disabledSources" in ${path} switches off ${off.join(', ')}`]),
    ...(on === undefined
      ? []
      : [`"skills.allowedSources" in ${path} allows ${on.join(', ') || 'nothing'} besides managed and builtin`]),
  ]
}
