import { scriptQuotings } from './script-quotings.js'
import type { ShellName } from '@skills/core'
import type { Reference } from './quoting.js'

export interface QuotedReference extends Reference {
  /** Reference as it is written. */
  readonly text: string
}

export interface QuotedReferencesOptions {
  /** Shell of the script. Default: `bash`. For shells other than bash and powershell, nothing is returned. */
  readonly shell?: ShellName
  /** Argument names that the skill declares, for `$name`. Default: none. */
  readonly argumentNames?: readonly string[]
}

/**
 * Finds the references of an embedded command that are not replaced. They stand between single quotes, or in a
 * here-document with a quoted delimiter, where the shell expands no variables. A caller warns the author, who may have
 * expected a value. The `$1` in `awk '{ print $1 }'` needs no warning, because it is meant for awk. See
 * docs/reference/expansion.md, "Embedded commands".
 * @param script command as it stands in the skill, without its delimiters
 * @returns references in order, with offsets in the script in UTF-16 code units
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
  return references.filter((_, index) => quotings[index] === 'literal' || quotings[index] === 'single')
}
