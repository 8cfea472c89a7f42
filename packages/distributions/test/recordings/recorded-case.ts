/** Entry of a case: the text of a file, its bytes, or the target of a link. */
export type RecordedFile = string | { readonly symlink: string } | { readonly base64: string }

interface Said {
  readonly role: string
  readonly text?: string
  readonly tool_result?: string
  readonly is_error?: boolean
}

export interface Block {
  readonly type: string
  readonly name?: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly text?: string
}

interface Observed {
  readonly listing?: string | null
  readonly user_texts?: readonly string[]
  readonly after?: readonly Said[]
  readonly requests?: readonly { readonly n: number; readonly model: string; readonly convo: readonly Said[] }[]
  readonly created?: Readonly<Record<string, boolean>>
  readonly hook_log?: string | null
  readonly no_request?: boolean
  readonly stdout?: string
  readonly effort?: string
  readonly own_name_only?: number
  readonly own_with_description?: number
  readonly name_only?: number
  readonly full_description?: number
  readonly listing_chars_after_header?: number
}

/** Case in the format of `claude-code-2.1.330.json`. */
export interface RecordedCase {
  readonly id: string
  readonly section: string
  readonly files: Readonly<Record<string, RecordedFile>>
  readonly action: {
    readonly prompt: string
    readonly script?: readonly (readonly Block[])[]
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
  }
  readonly observed: string | Observed | null
  readonly stdout?: string
}

/** Compared parts of a case. Each is undefined if it was not observed. */
export interface Seen {
  /** Rows of the skills of the case. */
  readonly listing?: string | undefined
  /** Number of rows with and without a description. */
  readonly counts?: readonly [described: number, named: number] | undefined
  /** Texts that a model reads: typed lines and skills that it ran. */
  readonly texts?: readonly string[] | undefined
  /** Results of the calls of a model. */
  readonly results?: readonly string[] | undefined
  readonly created?: Readonly<Record<string, boolean>> | undefined
  readonly hookLog?: string | null | undefined
  /** First text of each fork. */
  readonly forks?: readonly string[] | undefined
}

/** Meanings of sentences that the program words itself. The first match is used. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/no command with that name is available/, '<unknown command>'],
  [/Unknown skill|is a UI command/, '<unknown skill>'],
  [/Invalid skill format|InputValidationError/, '<invalid input>'],
  [/for model invocation|disable-model-invocation/, '<not for models>'],
  [/can only be invoked by Claude/, '<not for people>'],
  [/permission check failed for pattern/, '<embedded command not allowed>'],
  [/Shell command failed for pattern/, '<embedded command failed>'],
  [
    /Execute skill:|needs approval|requires approval|haven't granted|asked for confirmation|don't ask mode|Auto mode/,
    '<asks>',
  ],
  [/blocked by permission rules|has been denied/, '<denied>'],
  [/is already loaded above; instructions unchanged/, '<has it already>'],
]

/** @returns the meaning of a sentence of the program, or the text unchanged */
export function meaningOf(text: string): string {
  const meaning = meanings.find(([pattern]) => pattern.test(text))?.[1]
  return meaning ?? text.replaceAll('(Bash completed with no output)', '').replace(/\n+$/, '\n')
}

/** Returns results of tools that are not ours, in the words of `replay-case.ts`. */
function ofOwnTool(result: string): string {
  if (result.startsWith('1\t')) return '<read>'
  if (result.startsWith('File does not exist')) return '<not there>'
  return result.startsWith('File created successfully') ? '<written>' : result
}

const heading = 'The following skills are available for use with the Skill tool:'

/** Notes of the program for its model, which say nothing that is not in the listing or in the text of a skill. */
const notes =
  /^(?:<command-message>|\(Re-invocation of |The user hasn't heard from you|<system-reminder>\nDirectory-scoped variants)/

/** Names of skills that were found, before the listing that has them. */
const discovered = /^New skills discovered in [^]*?\n\n(?=The following skills)/

function isForModel({ role, text }: Said): boolean {
  return role !== 'assistant' && text !== undefined && !notes.test(text)
}

/** File that the host attaches because a person named it. No skill brings it. */
const attachment = /^<system-reminder>\n(?:Called the Read tool with|Result of calling the Read tool)/

function textsOf(said: readonly Said[], prompt: string): readonly string[] {
  return said.filter(isForModel).flatMap(({ text = '' }) => (text === prompt ? [] : [text.replace(discovered, '')]))
}

function resultsOf(said: readonly Said[]): readonly string[] {
  return said.flatMap(({ tool_result: result }) => (result === undefined ? [] : [result]))
}

const isFork = (said: readonly Said[]): boolean => said[0]?.text?.startsWith('Base directory for this skill') === true

/** Returns what was observed of the program. */
export function seenIn({ section, observed, stdout = '', action: { prompt, script } }: RecordedCase): Seen {
  if (observed === null) return { texts: [stdout] }
  if (typeof observed === 'string')
    return section === 'B' ? { listing: observed.replace(heading, '').trim() } : { texts: observed.split('\n=====\n') }
  const { listing, created, hook_log: hookLog, after, requests, user_texts: userTexts } = observed
  const named = observed.name_only ?? observed.own_name_only
  const described = observed.full_description ?? observed.own_with_description
  const seen: Seen = {
    // The program attaches nothing to a line that begins with a slash and calls nothing: the listing follows later.
    ...(typeof listing === 'string' && !(prompt.startsWith('/') && userTexts?.[0] === prompt) && { listing }),
    ...(named !== undefined && described !== undefined && { counts: [described, named] as const }),
    ...(created && { created }),
    ...(hookLog !== undefined && { hookLog }),
  }
  if (observed.no_request === true) return { ...seen, texts: [observed.stdout ?? ''] }
  if (userTexts !== undefined)
    return { ...seen, texts: userTexts.filter(text => !text.startsWith('<command-message>')) }
  const last = requests?.findLast(({ convo }) => !isFork(convo.filter(({ text }) => !text?.includes('CLAUDE.md'))))
  const said = after ?? last?.convo
  const forks = requests?.flatMap(({ convo }) => {
    const own = convo.filter(({ text }) => !text?.includes('CLAUDE.md'))
    return isFork(own) ? [own[0]?.text ?? ''] : []
  })
  return {
    ...seen,
    ...(said &&
      script && {
        texts: textsOf(said, prompt).filter(text => !text.includes('CLAUDE.md')),
        results: resultsOf(said).map(result => ofOwnTool(result.replace(/^<tools-used.*\n/, ''))),
      }),
    ...(said &&
      !script && { texts: textsOf(said, '\0').filter(text => prompt.startsWith('/') || !attachment.test(text)) }),
    ...(forks && { forks: [...new Set(forks)] }),
  }
}
