import type { CommandFields } from '@skills/core/fields'
import type { CallContext, ContentBlock, MaybePromise, PromptCommand } from '@skills/core'

/** Fields of frontmatter by the names of the command's properties. A missing field has its default value. */
export type BundledFields = Pick<PromptCommand, 'name'> & {
  readonly [Field in 'displayName' | 'description' | keyof CommandFields]?: PromptCommand[Field] | undefined
}

/**
 * Files of a skill: text or bytes by relative path with forward slashes, such as `references/api.md`; or the absolute
 * path of a folder, of which all files are used.
 */
export type BundledFiles = Readonly<Record<string, string | Uint8Array>> | string

export interface PromptContext extends CallContext {
  /** Absolute path of the skill's files, with forward slashes. Undefined for a skill without files. */
  readonly baseDir: string | undefined
}

/** Skill with a text that is expanded like that of a file. */
interface TemplateSkill {
  readonly body: string
  readonly getPrompt?: undefined
}

/** Skill whose content is made by code. No expander changes it. */
interface BlocksSkill {
  readonly body?: undefined
  /** @param args arguments as they were typed */
  getPrompt(args: string, ctx: PromptContext): MaybePromise<readonly ContentBlock[]>
}

/**
 * Skill that is registered in code. The fields are read when the skill is listed. To change a skill, register another
 * object. See docs/reference/bundled.md, "Bundled skills".
 */
export type BundledSkill = BundledFields &
  (TemplateSkill | BlocksSkill) & {
    /** Values of the host's own fields, by name. */
    readonly own?: Readonly<Record<string, unknown>> | undefined
    /** Files, extracted when the skill is first invoked. */
    readonly files?: BundledFiles | undefined
    /** Returns false to hide the skill everywhere. Default: returns true. */
    isEnabled?(): boolean
  }
