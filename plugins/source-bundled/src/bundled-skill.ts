import type { CommandFields } from '@skills/core/fields'
import type { CallContext, ContentBlock, MaybePromise, PromptCommand } from '@skills/core'

/** What frontmatter can say of a skill, under the names that commands have for it. An omitted field has its default. */
export type BundledFields = Pick<PromptCommand, 'name'> & {
  readonly [Field in 'displayName' | 'description' | keyof CommandFields]?: PromptCommand[Field] | undefined
}

/**
 * Files of a skill: text or bytes by relative path with forward slashes, as `references/api.md`; or a folder, absolute,
 * whose files are all taken.
 */
export type BundledFiles = Readonly<Record<string, string | Uint8Array>> | string

export interface PromptContext extends CallContext {
  /** Where the skill's files lie, absolute, forward slashes; undefined for a skill without files. */
  readonly baseDir: string | undefined
}

/** Text that is expanded like that of a file. */
interface TemplateSkill {
  readonly body: string
  readonly getPrompt?: undefined
}

/** Content as code makes it; no expander sees it. */
interface BlocksSkill {
  readonly body?: undefined
  /** @param args as they were typed */
  getPrompt(args: string, ctx: PromptContext): MaybePromise<readonly ContentBlock[]>
}

/**
 * A skill that is registered in code. It is taken as it is when it is listed: to change a skill, register another
 * object in its place. See docs/reference/bundled.md, "Bundled skills".
 */
export type BundledSkill = BundledFields &
  (TemplateSkill | BlocksSkill) & {
    /** Values of fields of the host, by name. */
    readonly own?: Readonly<Record<string, unknown>> | undefined
    /** Extracted when the skill is first invoked. */
    readonly files?: BundledFiles | undefined
    /** Default: always. While it answers false the skill is nowhere. */
    isEnabled?(): boolean
  }
