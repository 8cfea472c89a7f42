// @ts-check

/** @typedef {import('../../../../../../scripts/record/conversation.mjs').Message} Message */

const heading = 'The following skills are available for use with the Skill tool:'

/** Sentences that the program words itself, by their meaning. @type {readonly (readonly [RegExp, string])[]} */
const meanings = [
  [/no command with that name is available/, '<unknown>'],
  [/Unknown skill/, '<unknown>'],
  [/Invalid skill format|InputValidationError/, '<invalid>'],
  [/for model invocation|disable-model-invocation/, '<not for models>'],
  [/can only be invoked by Claude/, '<not for people>'],
  [/permission check failed for pattern/, '<command not allowed>'],
  [/Shell command failed for pattern/, '<command failed>'],
  [/is a UI command/, '<not a skill>'],
  [/variants? of the|exist in this repo|is ambiguous/, '<variants>'],
  [/Execute skill:|needs approval|requires? approval|haven't granted|don't ask mode|asked for confirmation/, '<asks>'],
  [/blocked by permission rules|has been denied|Permission to use/, '<denied>'],
  [/already loaded above/, '<has it already>'],
]

/** @param {string} text */
export const meaningOf = text => meanings.find(([pattern]) => pattern.test(text))?.[1] ?? text

/** Texts that the program adds by itself; those of a command that failed belong to an earlier step. */
const ownTexts =
  /^<(?:system-reminder>\n(?:As you answer|Attribution|Directory-scoped variants)|(?:local-command-(?:caveat|stderr)|command-name)>)/

/**
 * Returns the texts of a message for the model, without those that name the command.
 * @param {Message} message @param {boolean} withNews
 */
function textsOf({ role, content }, withNews) {
  if (role === 'system' && withNews) return newsIn(content)
  if (role === 'assistant' || role === 'system') return []
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.flatMap(({ type, text, content: result }) => {
    if (type === 'tool_result') {
      const said =
        typeof result === 'string' ? result : (Array.isArray(result) ? result : []).map(one => one.text).join('\n')
      return [/^(?:Launching skill: |1\t)/.test(said) ? '' : said]
    }
    return text === undefined || ownTexts.test(text) ? [] : [text]
  })
}

/** Returns the rows of a listing in a message of the system. @param {Message['content']} content */
function newsIn(content) {
  const text = typeof content === 'string' ? content : content.map(one => one.text ?? '').join('\n')
  const rows = ownRowsIn(text.slice(text.indexOf(heading)))
  return text.includes(heading) && rows !== '' ? [rows] : []
}

/**
 * Says the output of commands that the program describes, and that ours does, in one way: none, and the beginning of
 * output that is too long.
 * @param {string} text
 */
export const plainOutput = text =>
  text
    .replaceAll('(Bash completed with no output)', '')
    .replaceAll(
      /<persisted-output>\n.*\n\nPreview .*\n([^]*?)\n\.\.\.\n<\/persisted-output>/g,
      '<beginning>$1</beginning>',
    )
    .replaceAll(/\[output of .*\]\n([^]*?)\n\[…\]/g, '<beginning>$1</beginning>')

/**
 * Returns what a model read of one step: the text of a skill without the line of its folder, or the meaning of what the
 * program answered instead.
 * @param {readonly Message[]} added @param {string} prompt @param {boolean} [withNews]
 */
export function readIn(added, prompt, withNews = false) {
  const texts = added
    .flatMap(message => textsOf(message, withNews))
    .filter(text => !text.startsWith('<command-message>') && text !== '')
  const own = texts.map(text => meaningOf(plainOutput(text.replace(/^Base directory for this skill: .*\n\n/, ''))))
  if (withNews)
    return (
      own
        .filter(text => text !== prompt || (own.length === 1 && prompt.startsWith('/')))
        // Notes of the program, and what it printed in the step before.
        .filter(text => !/^\(Re-invocation of |^<not for people>$|^\/\S+\n$/.test(text))
        // A note behind a text is joined to it with another line break.
        .map(text => text.replace(/\n+$/, '\n'))
        .join('\u241e')
    )
  const last = own.length > 1 ? own.filter(text => text !== prompt && !text.startsWith('(Re-invocation of ')) : own
  return last.join('\u241e')
}

/**
 * Returns the row of each skill in a listing, without its name; `<none>` for one that is not listed.
 * @param {string} listing @param {readonly string[]} names
 */
export function rowsIn(listing, names) {
  const rows = new Map(
    listing.split('\n').flatMap(line => {
      const [row, name] = /^- ([^\s:]+(?::[^\s:]+)*)/.exec(line) ?? []
      return row === undefined || name === undefined ? [] : [[name, line.slice(row.length).trimEnd()]]
    }),
  )
  return names.map(name => rows.get(name) ?? '<none>')
}

/** Returns all texts of a conversation, those of the system too. @param {readonly Message[]} added */
export const listingIn = added =>
  added
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(({ text = '' }) => text)))
    .filter(text => text.includes(heading))
    .join('\n')

/**
 * Returns the answers to a step.
 * @param {import('../areas.mjs').Step} step
 * @param {Pick<import('../../../../../../scripts/record/conversation.mjs').Heard, 'added' | 'printed'> & Partial<import('../../../../../../scripts/record/conversation.mjs').Heard>} heard
 */
export const answersIn = (
  { prompt, rows, order, news, hooked, restored, silent, cut },
  { added, printed, others = [] },
) => {
  if (silent === true) return []
  if (restored === true) return [restoredAs(restoredIn(added), namesIn(listingIn(added)))]
  const fork = others.at(-1)
  if (cut === true) return [withoutRuns(ownRowsIn(listingIn(added)))]
  if (fork !== undefined) return [`${forkIn(fork)} => ${backIn(added, printed)}`]
  if (hooked === true) return [printed === undefined ? callsIn(added, prompt) : wordsIn(`<blocked>`, printed)]
  if (printed !== undefined) return [meaningOf(printed)]
  if (rows !== undefined) return rowsIn(listingIn(added), rows)
  return [order === undefined ? readIn(added, prompt, news) : ownRowsIn(listingIn(added))]
}

/**
 * Adds the words of a hook that a text has. The program's messages have its command too, in brackets.
 * @param {string} said @param {string} text
 */
export const wordsIn = (said, text) =>
  [said, ...['CTX', 'WHY'].filter(word => text.replace(/\[(?:echo|grep|cat) [^]*?\]: /g, '').includes(word))]
    .filter(part => part !== '')
    .join(' ')

/** Characters of the note at the end of a text that is cut. */
const cutNote = /\n\n\[\.\.\. skill content truncated[^\]]*\]$/

/** Returns the skills that a model is given again after a conversation was shortened. @param {readonly Message[]} added */
function restoredIn(added) {
  const text = added
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(one => one.text ?? '')))
    .find(one => one.includes('\n### Skill: '))
  if (text === undefined) return []
  const all = text.slice(text.indexOf('### Skill: '))
  const end = all.search(/\n\n(?:The following (?:deferred|skills)|Available agent types|# Environment)/)
  return (end < 0 ? all : all.slice(0, end)).split(/\n\n---\n\n(?=### Skill: )/).map(part => {
    const [, name = '', content = ''] = /^### Skill: (.*)\nPath: .*\n\n([^]*)$/.exec(part) ?? []
    return { name, content: content.replace(cutNote, ''), isCut: cutNote.test(content) }
  })
}

/** @param {string} listing */
export const namesIn = listing =>
  ownRowsIn(listing)
    .split('\n')
    .map(line => /^- ([^ ]*?)(?=: |$)/.exec(line)?.[1] ?? '')

/** Writes runs of one character as the character and their length. @param {string} text @param {number} [length] */
export const withoutRuns = (text, length) =>
  text.replaceAll(/(.)\1{9,}/gu, (run, letter) => `${letter}{${length ?? [...run].length}}`)

/**
 * Says which skills are given again, with texts in which a run of one character is its length. The length of a cut text
 * is about that of the limit: the note behind it is worded by each program itself.
 * @param {readonly { name: string, content: string, isCut: boolean }[]} skills @param {readonly string[]} names listed
 */
export function restoredAs(skills, names) {
  const said = skills.map(({ name, content, isCut }) => {
    const own = content.replace(/^Base directory for this skill: .*\n\n/, '').trimEnd()
    const body = isCut ? withoutRuns(own, 0) : withoutRuns(own)
    return `${name} ${JSON.stringify(body)}${isCut ? ` of about ${Math.round(content.length / 500) * 500}` : ''}`
  })
  return [...said, `listed: ${names.join(' ')}`].join('\n')
}

/** Sorts lines: hooks write them side by side. @param {string} text */
export const sortedLines = text => text.split('\n').toSorted().join('\n')

/** Returns what became of a call. @param {string} result @param {boolean} isError */
function resultOf(result, isError) {
  if (/hook error|asked for confirmation|hook returned blocking/.test(result))
    return wordsIn(/asked for confirmation/.test(result) ? '<asks>' : '<blocked>', result)
  if (result.startsWith('Launching skill: ')) return '<skill>'
  if (/No such file/.test(result)) return '<no log>'
  if (/No such tool available/.test(result)) return '<denied>'
  if (isError) return result.startsWith('WHY') ? '<asks> WHY' : meaningOf(result)
  return /^\s*1\tA/.test(result) ? '<read>' : sortedLines(plainOutput(result))
}

/** Returns what became of each call, and which words of hooks reached the model. @param {readonly Message[]} added @param {string} prompt */
function callsIn(added, prompt) {
  const parts = added.flatMap(({ role, content }) => {
    if (role === 'assistant') return []
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return blocks.map(({ type, text = '', content: result, is_error: isError }) => {
      if (type !== 'tool_result')
        return text === prompt ? '' : text.startsWith('Base directory') ? 'HB' : wordsIn('', text)
      const said =
        typeof result === 'string' ? result : (Array.isArray(result) ? result : []).map(one => one.text).join('\n')
      return resultOf(said, isError === true)
    })
  })
  return joinedParts(parts)
}

/** Tools whose presence in a fork is compared. */
const comparedTools = ['Bash', 'Read', 'Skill']

/** @param {string | undefined} model @param {(tool: string) => boolean} has */
export const forkHead = (model, has) =>
  `${/haiku/.test(model ?? '') ? 'haiku' : 'same'} ${comparedTools.filter(tool => has(tool)).join(',')}`

/** Returns what the model of a fork was told, and what became of its calls. @param {import('../../../../../../scripts/record/conversation.mjs').Other} fork */
function forkIn({ model, tools, messages }) {
  const told = messages.flatMap(({ role, content }) =>
    role !== 'user' || typeof content === 'string' ? [] : content.map(({ text = '' }) => text),
  )
  const body = told.find(text => text.startsWith('Base directory'))?.replace(/^Base directory .*\n\n/, '') ?? ''
  return joinedParts([
    forkHead(model, tool => tools.includes(tool)),
    JSON.stringify(body),
    callsIn(messages, body).replace(/HB\u241e?/, ''),
  ])
}

/** Returns what a fork gives back. @param {readonly Message[]} added @param {string | undefined} printed */
function backIn(added, printed) {
  if (printed !== undefined) return JSON.stringify(printed)
  const [said = ''] = added.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap(({ type, content: result }) => (type === 'tool_result' ? [`${result}`] : [])),
  )
  return JSON.stringify(/Result:\n([^]*)$/.exec(said)?.[1] ?? said)
}

/** Joins the parts of an answer. What is said twice in a row is said once. @param {readonly string[]} parts */
export const joinedParts = parts =>
  parts
    .filter((part, at, all) => part !== '' && part !== all.slice(0, at).findLast(other => other !== ''))
    .join('\u241e')

/** Skills that come with the program, and agents, which are listed in the same form. */
const own =
  /^- (?:claude|Explore|general-purpose|Plan|statusline-setup|dataviz|update-config|keybindings-help|code-review|simplify|fewer-permission-prompts|loop|claude-api|workflow-authoring|run|plugin-authoring|init|security-review)(?:: |$)/

/** Returns the rows of a listing that are not the program's own, in their order. @param {string} listing */
export const ownRowsIn = listing =>
  listing
    .split('\n')
    .filter(line => line.startsWith('- ') && !own.test(line))
    .join('\n')
