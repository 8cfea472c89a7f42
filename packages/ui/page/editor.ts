import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'

export interface Editor {
  /** Puts another text in the place of all that is there; undo brings it back. */
  replace(text: string): void
  close(): void
}

interface EditorEvents {
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

/**
 * An editor in `box`. It lives in a shadow root, where its styles are sheets and no elements: the page's content policy
 * allows no style but its own file. The tab key moves on, as everywhere on the page.
 */
export function openEditor(box: HTMLElement, text: string, { onChange, onSave }: EditorEvents): Editor {
  const root = box.shadowRoot ?? box.attachShadow({ mode: 'open' })
  const lineBreak = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n'
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Each line ends as it did: a file of two kinds keeps a carriage return as a character of the line.
        EditorState.lineSeparator.of(lineBreak),
        lineNumbers(),
        history(),
        drawSelection(),
        // What is not seen, such as controls of direction, is shown as a dot.
        highlightSpecialChars(),
        language.of(languageOf(EditorState.create({ doc: text }).doc)),
        syntaxHighlighting(marks),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'The text of the file' }),
        keymap.of([
          {
            key: 'Mod-s',
            run: () => {
              onSave()
              return true
            },
          },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.updateListener.of(update => {
          if (!update.docChanged) return
          onChange(update.state.sliceDoc())
          const now = languageOf(update.state.doc)
          if (language.get(update.state) !== now) update.view.dispatch({ effects: language.reconfigure(now) })
        }),
        look,
      ],
    }),
  })
  view.focus()
  return {
    replace: whole => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: whole } }),
    close: () => view.destroy(),
  }
}

const language = new Compartment()

// A frontmatter's end is no line below a heading.
const asMarkdown = markdown({ extensions: { remove: ['SetextHeading'] } })
const asText: readonly [] = []

/** Characters without an empty line between them: the parser takes seconds for 100,000, at each key. */
const mostMarked = 10_000

/** Markdown, but for a text that would hold up each key. */
function languageOf(doc: Text): typeof asMarkdown | typeof asText {
  let length = 0
  for (const line of doc.iterLines()) {
    length = line.trim() === '' ? 0 : length + line.length + 1
    if (length > mostMarked) return asText
  }
  return asMarkdown
}

/** As CodeMirror marks what it knows, in a colour that can be read in the dark too. */
const marks = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) =>
    color === undefined ? spec : { ...spec, color: 'var(--link)' },
  ),
)

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--quiet)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--chosen) !important' },
})
