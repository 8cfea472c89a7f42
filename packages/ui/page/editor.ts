import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdown } from '@codemirror/lang-markdown'
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Text } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'

export interface Editor {
  /** Replaces the whole text. Undo restores it. */
  replace(text: string): void
  close(): void
}

interface EditorEvents {
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}

/**
 * Opens an editor in `box`. It is in a shadow root with style sheets as objects, because the page's content policy
 * allows no style elements. The tab key moves to the next element, as everywhere on the page.
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
        // Keeps line ends. In a file with both kinds, a carriage return is a character of its line.
        EditorState.lineSeparator.of(lineBreak),
        lineNumbers(),
        history(),
        drawSelection(),
        // Invisible characters, such as controls of text direction, are shown as dots.
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

// The end of frontmatter must not make a heading of the line above.
const asMarkdown = markdown({ extensions: { remove: ['SetextHeading'] } })
const asText: readonly [] = []

/** Most characters without an empty line. For 100,000, the parser takes seconds at each key press. */
const mostMarked = 10_000

/** Returns Markdown, or plain text for a document that would slow down each key press. */
function languageOf(doc: Text): typeof asMarkdown | typeof asText {
  let length = 0
  for (const line of doc.iterLines()) {
    length = line.trim() === '' ? 0 : length + line.length + 1
    if (length > mostMarked) return asText
  }
  return asMarkdown
}

/** CodeMirror's default highlighting, in a colour that is readable in dark mode too. */
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
