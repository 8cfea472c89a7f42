import * as s from '@skills/core/schema'
import {
  defineProvider,
  isAbortError,
  SkillsError,
  type KindAccess,
  type Note,
  type PromptCommand,
  type Provider,
  type SetupContext,
  type Source,
} from '@skills/core'
import { doesMore, type ApproveCall } from '@skills/invocation/internal'
import { Agreements } from './agreements.js'
import { consentItem } from './consent.js'
import { digestOfSkill, type SkillDigest } from './skill-digest.js'
import { skillLimits, stateOfSkill } from './skill-item.js'
import { findApproval, storeApproval, type ApprovalKey } from './approvals.js'
import { isAsListed, noticeChange } from './as-listed.js'
import { folderAround, trustedFolders } from './trusted-folders.js'
import { placeOf, projectOf, type SkillPlace } from './skill-place.js'
import { namedBy, standingOf, standingOptions } from './standing.js'
import type { Claim, Trust, TrustCall, TrustVerdict } from '@skills/invocation'
import type { SkillLimits } from './skill-parts.js'
import type { State } from '@skills/state'

const trustOptions = s.options('trust()', {
  /** Trusts everything except what comes from a server, and asks for no approval. */
  all: s.flag().default(false),
  /** True if an approval holds only until the skill changes. */
  bind: s.flag().default(true),
  /** Limits of a skill that can be approved. */
  limits: s
    .object({ files: s.number().default(skillLimits.files), bytes: s.number().default(skillLimits.bytes) })
    .default({}),
  ...standingOptions,
})

export interface TrustOptions extends s.OptionsOf<typeof trustOptions> {}

/**
 * Makes the provider that judges how far commands are trusted: `trust` of the kind `trust`. See
 * docs/reference/trust.md, "Trust".
 */
export function trust(given?: TrustOptions): Provider<'trust', 'state' | 'executor'> {
  const options = trustOptions.read(given)
  return defineProvider({
    kind: 'trust',
    id: 'trust',
    needs: ['state'],
    wants: ['executor'],
    setup: ctx => new FolderTrust(options, ctx),
  })
}

interface Approvable {
  readonly key: ApprovalKey
  /** Absent if approvals are not bound to content. */
  readonly digest?: string
}

interface Unapprovable {
  /** Sentence that says why; `hint` says what to do. */
  readonly reason: string
  readonly hint: string
  /** True if the reason lies in the skill itself. */
  readonly isOfContent?: boolean
}

/** Explanations for plugins that are named neither by the user nor by an administrator. */
const unnamed: Readonly<Record<string, string>> = {
  'command-line': 'its plugin is named on the command line, which loads the plugin but does not trust it.',
  project: 'its plugin is named by the project; it is trusted only if you or an administrator name it.',
}

/** Approval of a command that need not stay as it is. */
const unbound = 'unbound'

const untrusted: TrustVerdict = { level: 'untrusted', isApproved: false }

class FolderTrust implements Trust, Pick<Source, 'explain'> {
  readonly #options: ReturnType<typeof trustOptions.read>
  readonly #context: SetupContext<'state' | 'executor'>
  readonly #state: State
  readonly #limits: SkillLimits
  /** Digests at the last look, by skill: the content that the user is asked about. */
  readonly #seen = new Map<string, string>()
  /** Reasons that were reported. */
  readonly #told = new Set<string>()

  constructor(options: ReturnType<typeof trustOptions.read>, context: SetupContext<'state' | 'executor'>) {
    this.#options = options
    this.#context = context
    this.#state = stateOver(context.use('state'))
    this.#limits = options.limits
  }

  async judge(command: PromptCommand, asksApproval: boolean, call: TrustCall): Promise<TrustVerdict> {
    const standing = this.#standingOf(command)
    if (standing === 'remote' && asksApproval && command.manifest?.digest !== undefined)
      return this.#approvalOfManifest(command, command.manifest.digest, call)
    if (standing !== 'folder') return { level: standing, isApproved: standing === 'trusted' }
    const place = await this.#trustedPlaceOf(command, call)
    if (place === undefined) return untrusted
    if (place.content === undefined) return { level: 'trusted', isApproved: true }
    return {
      level: 'trusted',
      isApproved: false,
      ...(asksApproval && (await this.#approvalOf(command, place, place.content, call))),
    }
  }

  async agrees(claims: readonly Claim[], call: TrustCall): Promise<readonly boolean[]> {
    if (this.#options.all === true) return claims.map(() => true)
    const agreements = await Agreements.read(this.#state, this.#context.host, call)
    return claims.map(claim => agreements.stateOf(consentItem(claim)) === 'agreed')
  }

  async refuses(command: PromptCommand, call: TrustCall): Promise<string | undefined> {
    const found = await this.#approvable(command, call)
    if (found === undefined) return undefined
    if ('reason' in found) {
      if (found.isOfContent) this.#tell(command, found.reason)
      return `${found.reason} ${found.hint}`
    }
    if (found.digest !== undefined) this.#seen.set(textOf(found.key), found.digest)
    return undefined
  }

  /** Records an approval, and saves it unless it is for once. Throws `E_STATE`, with the reason, if it cannot. */
  async approve(command: PromptCommand, { once = false, ...call }: ApproveCall): Promise<string | undefined> {
    const found = await this.#approvable(command, call)
    if (found === undefined) return undefined
    if ('reason' in found) throw notApproved(command, found.reason, found.hint)
    const { key, digest } = found
    const seen = this.#seen.get(textOf(key))
    if (digest !== undefined && seen !== undefined && seen !== digest) {
      this.#seen.delete(textOf(key))
      throw notApproved(command, 'The skill was changed while the question was open.', 'Look at the skill again.')
    }
    if (!once)
      await storeApproval(
        this.#state,
        { ...key, ...(digest !== undefined && { digest }), since: this.#context.host.clock.now() },
        call,
      )
    return digest ?? unbound
  }

  async explain(
    _name: string,
    command: Parameters<NonNullable<Source['explain']>>[1],
    call: TrustCall,
  ): Promise<readonly Note[]> {
    if (command?.type !== 'prompt') return []
    const path = command.filePath
    const note = (text: string): readonly Note[] => [{ text, ...(path !== undefined && { path }) }]
    switch (this.#standingOf(command)) {
      case 'trusted':
        return []
      case 'remote':
        return note('The skill comes from a server, so the commands that it embeds never run.')
      case 'untrusted':
        return note(
          command.source === 'plugin'
            ? `Its commands and hooks do not run: ${unnamed[String(namedBy(command))] ?? 'neither your configuration nor an administrator names its plugin.'}`
            : `Its commands do not run: the source "${command.source}" is not trusted.`,
        )
      case 'folder': {
        const place = await this.#trustedPlaceOf(command, call)
        const change =
          place !== undefined
            ? await this.#changeOf(command, place, call)
            : (await this.#doesMore(command, call))
              ? 'The commands that the skill embeds do not run until its folder is trusted.'
              : undefined
        return change === undefined ? [] : note(change)
      }
    }
  }

  /** Returns what an approval would be about now, or why there can be none; undefined for a command that needs none. */
  async #approvable(command: PromptCommand, call: TrustCall): Promise<Approvable | Unapprovable | undefined> {
    const standing = this.#standingOf(command)
    if (standing === 'trusted') return undefined
    if (standing === 'remote' && command.manifest !== undefined) {
      // Without digests, a yes cannot be saved.
      const { digest } = command.manifest
      return digest === undefined ? undefined : { key: this.#keyOf(command), digest }
    }
    if (standing === 'remote')
      return {
        reason: 'Nothing in the skill runs, because the skill comes from a server.',
        hint: 'A skill from a server cannot be approved.',
      }
    const place = standing === 'folder' ? await this.#trustedPlaceOf(command, call) : undefined
    if (place === undefined) {
      return {
        reason: 'Nothing in the skill runs, because the skill is not trusted.',
        hint: standing === 'folder' ? 'Trust its folder first.' : 'Name the skill or its source as trusted first.',
      }
    }
    if (place.content === undefined) return undefined
    const key = this.#keyOf(command, place)
    if (this.#options.bind === false) return { key }
    const found = await this.#digestOf(command, place, place.content, call)
    if ('reason' in found)
      return { reason: found.reason, hint: 'Change the skill, or run its commands by hand.', isOfContent: true }
    if (isAsListed(command)) return { key, digest: found.digest }
    // The question shows what was listed, while the digest is of what is there now.
    await noticeChange(command, call)
    return {
      reason: 'The skill has changed since it was listed.',
      hint: 'The list of skills is updated now: try again.',
    }
  }

  #standingOf(command: PromptCommand): ReturnType<typeof standingOf> {
    const standing = standingOf(command, this.#options)
    return this.#options.all === true && standing !== 'remote' ? 'trusted' : standing
  }

  async #trustedPlaceOf(command: PromptCommand, call: TrustCall): Promise<SkillPlace | undefined> {
    const { host } = this.#context
    const place = placeOf(command, host)
    if (place === undefined) return undefined
    const folders = await trustedFolders(this.#state, call)
    return place.places.every(path => folderAround(path, folders, host) !== undefined) ? place : undefined
  }

  async #approvalOf(
    command: PromptCommand,
    place: SkillPlace,
    content: string,
    call: TrustCall,
  ): Promise<Pick<TrustVerdict, 'isApproved' | 'item' | 'changes'>> {
    const key = this.#keyOf(command, place)
    const approval = await findApproval(this.#state, key, call)
    // Without bound content, nothing can have changed.
    if (this.#options.bind === false)
      return { isApproved: approval !== undefined || call.approved !== undefined, item: 'agreed' }
    const found = await this.#digestOf(command, place, content, call)
    if ('digest' in found) {
      this.#seen.set(textOf(key), found.digest)
      const { state: item, changes } = stateOfSkill(
        command,
        found,
        await Agreements.read(this.#state, this.#context.host, call),
      )
      return {
        isApproved: approval?.digest === found.digest || call.approved === found.digest,
        ...(item !== 'new' && { item }),
        ...(changes.length > 0 && { changes }),
      }
    }
    this.#tell(command, found.reason)
    return { isApproved: false }
  }

  /** Judges a skill from a server. A yes is about the list of its files, and another list is another skill. */
  async #approvalOfManifest(command: PromptCommand, digest: string, call: TrustCall): Promise<TrustVerdict> {
    const approval = await findApproval(this.#state, this.#keyOf(command), call)
    const isApproved = approval?.digest === digest || call.approved === digest
    return { level: 'remote', isApproved, ...(approval !== undefined && { item: isApproved ? 'agreed' : 'changed' }) }
  }

  /**
   * Describes how a skill differs from the one that was there when its folder was trusted. A new skill that is only
   * read is not mentioned.
   */
  async #changeOf(command: PromptCommand, place: SkillPlace, call: TrustCall): Promise<string | undefined> {
    const { content } = place
    if (content === undefined || this.#options.all === true || this.#options.bind === false) return undefined
    const found = await this.#digestOf(command, place, content, call)
    if ('reason' in found) return undefined
    const { state: item, changes } = stateOfSkill(
      command,
      found,
      await Agreements.read(this.#state, this.#context.host, call),
    )
    if (item === 'changed')
      return `The skill has changed since its folder was trusted${changes.length === 0 ? '' : `: ${changes.join('; ')}`}.`
    return item === 'new' && (await this.#doesMore(command, call))
      ? 'The skill was added after its folder was trusted.'
      : undefined
  }

  /** True if a skill does more than give its text. True if its text cannot be read. */
  async #doesMore(command: PromptCommand, { signal }: TrustCall): Promise<boolean> {
    try {
      return await doesMore(this.#context.use('executor'), command, '', signal)
    } catch (error) {
      if (isAbortError(error)) throw error
      return true
    }
  }

  /**
   * Computes the digest of everything in a skill. If its file was read already, the digest is of those bytes, and not
   * of what is there now.
   */
  async #digestOf(
    command: PromptCommand,
    { places }: SkillPlace,
    content: string,
    call: TrustCall,
  ): Promise<SkillDigest> {
    const digest = command.isSnapshot === true ? await command.digest?.(call) : undefined
    const path = places.at(-1)
    return digestOfSkill(
      content,
      this.#limits,
      call.signal,
      digest === undefined || path === undefined ? undefined : { path, digest },
    )
  }

  /** @param place place of a skill in a folder */
  #keyOf({ source, name, manifest }: PromptCommand, place?: SkillPlace): ApprovalKey {
    const path = place?.places.at(-1) ?? manifest?.address ?? ''
    return { project: projectOf(this.#context.host), source, name, path }
  }

  /** Reports a reason once, since a skill is judged whenever it runs. */
  #tell(command: PromptCommand, reason: string): void {
    const { name, filePath } = command
    const message = `The skill "${name}" cannot be approved: ${reason}`
    if (this.#told.has(message)) return
    this.#told.add(message)
    this.#context.report({
      severity: 'warning',
      type: 'validation',
      code: 'not-approvable',
      name,
      message,
      ...(filePath !== undefined && { path: filePath }),
      hint: 'The commands that the skill embeds do not run until this is resolved.',
    })
  }
}

/** Wraps the only provider of the kind as a {@link State}. */
function stateOver(access: KindAccess<State>): State {
  return {
    read: (name, { signal }) => access.first((state, call) => state.read(name, call), { signal }),
    update: (name, change, { signal }) => access.first((state, call) => state.update(name, change, call), { signal }),
  }
}

function textOf(key: ApprovalKey): string {
  return JSON.stringify([key.project, key.source, key.name, key.path])
}

function notApproved({ name }: PromptCommand, reason: string, hint: string): SkillsError {
  return new SkillsError('E_STATE', `The approval of the skill "${name}" was not saved: ${reason}`, { hint })
}
