import { scriptQuotings } from './script-quotings.js'
import type { ShellName } from '@skills/core'
import type { Reference } from './quoting.js'

export interface QuotedReference extends Reference {
  /** As written. */
  readonly text: string
}

export interface QuotedReferencesOptions {
  /** Of another than bash and powershell nothing is known, and no reference is given. Default: `bash`. */
  readonly shell?: ShellName
  /** The skill's declared ones, which `$name` refers to. Default: none. */
  readonly argumentNames?: readonly string[]
}

/**
 * The references of an embedded command that stay as they are written, since they stand between single quotes or in a
 * here-document whose delimiter is quoted: the shell would not look for a variable there. For a warning to the author,
 * who may have meant them; `awk '{ print $1 }'` is meant. See docs/reference/expansion.md, "Embedded commands".
 * @param script the command as it stands in the skill, without what encloses it
 * @returns in order; offsets in the script, in UTF-16 code units
 */
export async function quotedReferences(
  script: string,
  { shell = 'bash', argumentNames = [] }: QuotedReferencesOptions = {},
): Promise<readonly QuotedReference[]> {
  if (shell !== 'bash' && shell !== 'powershell') return []
  const names = argumentNames.map(name => `|${name.replaceAll(/\W/g, String.raw`\$&`)}(?!\\w)`).join('')
  const reference = new RegExp(
    String.raw`(?<!\\)(?:\$(?:ARGUMENTS(?:\[\d+\])?(?!\w)|\d+(?![\w]|[.,]\d)${names})|\$\{(?:ARGUMENTS|CLAUDE_\w+)\}|\{baseDir\})`,
    'g',
  )
  const references = Array.from(script.matchAll(reference), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }))
  if (references.length === 0) return []
  const { quotings } = await scriptQuotings(shell, script, references)
  return references.filter((_, index) => quotings[index] === 'literal')
}
