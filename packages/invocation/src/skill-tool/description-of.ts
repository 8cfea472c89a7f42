import { oneLine, type Escape } from './one-line.js'

/**
 * Returns description and when-to-use on one line, as a listing shows them.
 * @param scope text in parentheses between the two
 */
export function descriptionOf(
  { description, whenToUse = '' }: { readonly description: string; readonly whenToUse?: string | undefined },
  escape?: Escape,
  scope = '',
): string {
  const said = oneLine(description, escape)
  const line = scope === '' ? said : [said, `(${oneLine(scope, escape)})`].filter(text => text !== '').join(' ')
  if (whenToUse === '') return line
  return [line, oneLine(whenToUse, escape)].filter(text => text !== '').join(' - ')
}
