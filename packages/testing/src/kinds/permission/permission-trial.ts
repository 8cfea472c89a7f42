import { KindTrial, type KindFixture } from '../kind-trial.js'
import { entryOf, skillNamed } from '../entries.js'
import type { CatalogEntry, MaybePromise } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { PermissionDecision, PermissionRequest, Permission } from '@skills/rules'

/** Rule in the common form: `Skill(deploy)`, `Bash(git status)`, `Bash(git:*)`. */
export interface NeutralRule {
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly rule: string
}

/** Makes a permission provider with these rules, in this order. Called once for each set of rules. */
export type MakePermission = (rules: readonly NeutralRule[]) => MaybePromise<KindFixture<Permission>>

/**
 * Abilities that a permission provider may lack: `rules`, if it takes no rules; `scripts`, if its rules ignore the
 * input of a tool; `grants`, if it ignores the permissions that a skill grants itself; `default`, if it allows requests
 * that no rule matches; `suggestions`, if it suggests no rules.
 */
export type PermissionLack = 'rules' | 'scripts' | 'grants' | 'default' | 'suggestions'

/** Rule that every permission provider keeps. */
export type PermissionRule = ContractRule<PermissionTrial, PermissionLack>

export interface Asked {
  check(request: PermissionRequest): Promise<PermissionDecision>
  /** The provider. */
  readonly permission: Permission
}

/** One check of one rule about permission providers. */
export class PermissionTrial extends KindTrial<Permission, MakePermission> {
  /** Starts a provider with these rules, each written like `allow Skill(deploy)`. */
  async with(...rules: readonly string[]): Promise<Asked> {
    const fixture = await this.made(async () => this.make(rules.map(neutral)))
    const { value: permission } = await this.start(fixture, [{ kind: 'trust', id: 'contract-trust', value: { judge } }])
    const check = (request: PermissionRequest): Promise<PermissionDecision> =>
      this.answer('check()', async () => permission.check(request, { signal: new AbortController().signal }))
    return { permission, check }
  }

  /** Breaks the rule unless this is the decision under these rules. */
  async expect(
    behaviors: readonly string[],
    request: PermissionRequest,
    rules: readonly string[],
    why = '',
  ): Promise<void> {
    const { behavior, message } = await (await this.with(...rules)).check(request)
    if (behaviors.includes(behavior)) return
    this.broken(
      `${told(request)} is decided with "${behavior}" instead of "${behaviors.join('" or "')}" ${rules.length === 0 ? 'without any rule' : `under the rules ${rules.join(', ')}`}${why}. It says: ${message}`,
    )
  }
}

function neutral(text: string): NeutralRule {
  const [behavior = '', ...rest] = text.split(' ')
  return { behavior: behavior === 'allow' || behavior === 'ask' ? behavior : 'deny', rule: rest.join(' ') }
}

/**
 * Trust of the suite: commands of the user are trusted and approved, those of a project are untrusted, those of a
 * server are remote.
 */
function judge({ source }: { readonly source: string }): object {
  const level = source === 'mcp' ? 'remote' : source === 'project' ? 'untrusted' : 'trusted'
  return { level, isApproved: level === 'trusted' }
}

/** Describes a request for a message. */
function told({ tool, content, trust, granted }: PermissionRequest): string {
  const of = trust === 'trusted' ? '' : ` of ${trust === 'remote' ? 'a server' : 'an untrusted skill'}`
  return `${tool}(${JSON.stringify(content)})${of}${granted === undefined ? '' : `, the skill allowing itself ${granted.join(', ')},`}`
}

/** Makes a request to invoke a skill, or to use a tool for it. */
export function requestFor(entry: CatalogEntry | string, parts: Partial<PermissionRequest> = {}): PermissionRequest {
  const given = typeof entry === 'string' ? entryOf(skillNamed(entry)) : entry
  return { tool: 'Skill', content: given.name, entry: given, trust: 'trusted', caller: 'model', args: '', ...parts }
}

export function scriptFor(content: string, parts: Partial<PermissionRequest> = {}): PermissionRequest {
  return requestFor('alpha', { tool: 'Bash', content, ...parts })
}

/** Untrusted and remote skills, in the form in which requests contain them. */
export const doubtful: readonly { readonly trust: 'untrusted' | 'remote'; readonly entry: CatalogEntry }[] = [
  { trust: 'untrusted', entry: entryOf(skillNamed('alpha', { source: 'project' })) },
  { trust: 'remote', entry: entryOf(skillNamed('alpha', { source: 'mcp', loadedFrom: 'mcp' })) },
]
