import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, type FormattingOptions } from 'jsonc-parser'
import { SkillsError } from '@skills/core'
import { isJsonObject } from '@skills/files/internal'
import { isBehavior, listsOf, type Change, type RuleLists, type Settings, type SettingsProblem } from './settings.js'

const nothing: Pick<Settings, 'text' | 'lists'> = { text: '{}\n', lists: { allow: [], deny: [], ask: [] } }

/**
 * Returns the text of a settings file with its rules changed and everything else unchanged; undefined if nothing
 * changes.
 * @param settings result of reading the file; undefined if it does not exist
 * @throws SkillsError `E_STATE` for a file that cannot be parsed
 */
export function changedSettings(
  settings: Settings | SettingsProblem | undefined,
  changes: readonly Change[],
  path: string,
): string | undefined {
  const { text: before, lists } = settings === undefined ? nothing : understood(settings, path)
  const wanted = { ...lists }
  let text = before
  for (const { does, behavior, text: rule } of changes) {
    const list = wanted[behavior]
    if (does === 'add') {
      if (list.includes(rule)) continue
      const target = list.length > 0 ? ['permissions', behavior, list.length] : ['permissions', behavior]
      text = edited(text, target, list.length > 0 ? rule : [rule], { path, isArrayInsertion: list.length > 0 })
      wanted[behavior] = [...list, rule]
    } else if (list.includes(rule)) {
      const kept = list.filter(one => one !== rule)
      text = edited(text, ['permissions', behavior], kept, { path, isArrayInsertion: false })
      wanted[behavior] = kept
    }
  }
  if (text === before && settings !== undefined) return undefined
  // A repeated key is edited in one place and read in the other.
  if (!isDeepStrictEqual(listsIn(text, path), wanted) || !isDeepStrictEqual(others(text), others(before))) {
    throw new SkillsError('E_STATE', `The rules cannot be written into ${path}, because the file has a key twice.`, {
      hint: 'Remove one of the two keys, and save again.',
    })
  }
  return text
}

function understood(settings: Settings | SettingsProblem, path: string): Settings {
  if ('lists' in settings) return settings
  const { problem, line } = settings
  throw new SkillsError(
    'E_STATE',
    `The rules cannot be written into ${path}, which ${problem}${line === undefined ? '' : ` (line ${line})`}.`,
    { hint: 'Correct the file, and save again. The file was not changed.' },
  )
}

function listsIn(text: string, path: string): RuleLists {
  const data: unknown = JSON.parse(text)
  const lists = isJsonObject(data) ? listsOf(data) : { problem: 'must be an object' }
  if (!('problem' in lists)) return lists
  throw new SkillsError(
    'E_STATE',
    `The rules cannot be written into ${path}, because the result could not be read back: it ${lists.problem}.`,
    { hint: 'Write the rules by hand.' },
  )
}

/** Returns everything except the lists of rules. */
function others(text: string): unknown {
  const data: unknown = JSON.parse(text)
  if (!isJsonObject(data) || !isJsonObject(data['permissions'])) return data
  const { permissions, ...rest } = data
  const kept = Object.entries(permissions).filter(([name]) => !isBehavior(name))
  return kept.length === 0 ? rest : { ...rest, permissions: Object.fromEntries(kept) }
}

function edited(
  text: string,
  place: (string | number)[],
  value: unknown,
  { path, isArrayInsertion }: { readonly path: string; readonly isArrayInsertion: boolean },
): string {
  try {
    return applyEdits(text, modify(text, place, value, { isArrayInsertion, formattingOptions: styleOf(text) }))
  } catch (error) {
    throw new SkillsError(
      'E_STATE',
      `The rules cannot be written into ${path}: there is no place for ${place.slice(0, 2).join('.')}.`,
      { hint: 'Make "permissions" an object with lists "allow", "deny" and "ask", and save again.', cause: error },
    )
  }
}

/** Returns the indentation and line ends of the file. */
function styleOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}
