import { findEmbeddedCommands, quotedReferences } from '@skills/expansion'
import { TextPlaces } from './text-places.js'
import type { Diagnostic } from '@skills/core'
import type { SkillFields } from '@skills/skill-md'

/**
 * Returns warnings for references to arguments that are not replaced because they are in single quotes in an embedded
 * command. Ignores a bare number, as in `awk '{ print $1 }'`.
 * @param bytes the whole file
 * @param bodyByte offset of the body in bytes
 */
export async function checkQuoted(
  bytes: Buffer,
  bodyByte: number,
  { shell = 'bash', argumentNames = [] }: SkillFields,
): Promise<readonly Diagnostic[]> {
  const commands = findEmbeddedCommands(bytes.toString('utf8', bodyByte), { shell })
  if (commands.length === 0) return []
  const places = new TextPlaces(bytes.toString('utf8'))
  const bodyStart = bytes.toString('utf8', 0, bodyByte).length
  const found = commands.map(async ({ script, scriptStart }) => {
    const quoted = await quotedReferences(script, { shell, argumentNames })
    return quoted
      .filter(reference => isArgument(reference.text))
      .map(({ text: reference, start }): Diagnostic => ({
        severity: 'warning',
        type: 'validation',
        code: 'quoted-argument',
        ...places.at(bodyStart + scriptStart + start),
        message: `${reference} is inside quotes in which nothing is replaced, so the skill's argument is not put there.`,
        hint:
          shell === 'bash'
            ? 'Use double quotes, which keep the argument one word, or write \\$ for a literal dollar sign.'
            : 'To insert the argument, use double quotes.',
      }))
  })
  return (await Promise.all(found)).flat()
}

/**
 * Returns true for a reference to an argument. Variables have their values even without replacement, and a bare number
 * usually belongs to the shell or a program.
 */
function isArgument(reference: string): boolean {
  return !/^\$\d+$/.test(reference) && !/^\$\{(?!ARGUMENTS\})/.test(reference) && reference !== '{baseDir}'
}
