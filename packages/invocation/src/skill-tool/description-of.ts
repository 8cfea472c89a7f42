import { oneLine, type Escape } from './one-line.js'

/** Returns description and when-to-use on one line, as a listing shows them. */
export function descriptionOf(
  { description, whenToUse = '' }: { readonly description: string; readonly whenToUse?: string | undefined },
  escape?: Escape,
): string {
  const line = oneLine(description, escape)
  if (whenToUse === '') return line
  return [line, oneLine(whenToUse, escape)].filter(text => text !== '').join(' - ')
}
