import { isUserVisible, SkillsError, type CatalogEntry, type CatalogView } from '@skills/core'
import { cut, pad, printableLine, widthOf } from '@skills/invocation/skill-tool/terminal-text'

/** Cells of a description in the list. The help of one command has the whole description. */
const mostCells = 100
/** Most cells of a name with its arguments that still align with the descriptions of the others. */
const widestName = 32

/**
 * Returns the text of `/help`: the commands that a user can invoke, or everything about one command.
 * @param args a command's name, with or without a slash, or nothing
 */
export function helpText(args: string, catalog: CatalogView): string {
  const name = args.trim().replace(/^\/+/, '')
  return name === '' ? listText(catalog) : oneText(name, catalog)
}

function listText(catalog: CatalogView): string {
  const shown = catalog.entries
    .filter(isShown)
    .map(entry => ({ call: callOf(entry), description: printableLine(entry.command.description) }))
  if (shown.length === 0) return 'There are no commands.'
  const cells = Math.min(widestName, Math.max(...shown.map(({ call }) => widthOf(call))))
  const lines = shown.map(({ call, description }) => `  ${pad(call, cells)}  ${cut(description, mostCells)}`.trimEnd())
  const more = catalog.get('help') === undefined ? [] : ['', 'More about one: /help NAME']
  return ['Commands:', ...lines, ...more].join('\n')
}

/** True if a command is listed. Prompts have a rule for it; commands of the host are always for users. */
function isShown({ command }: CatalogEntry): boolean {
  return command.type === 'prompt' ? isUserVisible(command) : !command.isHidden
}

function callOf({ name, command }: CatalogEntry): string {
  return printableLine(`/${name} ${command.argumentHint ?? ''}`)
}

function oneText(name: string, catalog: CatalogView): string {
  try {
    return entryText(catalog.require(name))
  } catch (error) {
    // The error for an unknown or ambiguous name is the answer: it lists the similar ones.
    if (SkillsError.is(error) && (error.code === 'E_UNKNOWN_NAME' || error.code === 'E_AMBIGUOUS_NAME'))
      return printableLine(error.message)
    throw error
  }
}

function entryText(entry: CatalogEntry): string {
  const { name, command } = entry
  const prompt = command.type === 'prompt' ? command : undefined
  const rows = [
    ['name', command.displayName === name ? '' : command.displayName],
    ['aliases', entry.isQualified ? '' : command.aliases.map(alias => `/${alias}`).join(', ')],
    ['when to use', prompt?.whenToUse ?? ''],
    ['source', command.source],
    ['file', prompt?.filePath ?? ''],
    ['you', command.userInvocable ? '' : 'cannot invoke it'],
    ['the model', prompt?.disableModelInvocation === true ? 'cannot invoke it' : ''],
  ].filter(([, text]) => text !== '')
  const cells = Math.max(...rows.map(([label = '']) => label.length))
  const details = rows.map(([label = '', text = '']) => `  ${pad(label, cells)}  ${printableLine(text)}`)
  return [callOf(entry), `  ${printableLine(command.description)}`, '', ...details].join('\n')
}
