import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, isReport } from './ask.js'
import { Body } from './body.js'
import { draftOf, keepDraft } from './drafts.js'
import { Difference, Problems } from './parts.js'
import { linkTo } from './address.js'
import { sentence } from './sentence.js'
import type { DraftJson, FileJson } from '../src/api.js'
import type { Editor } from './editor.js'

/** Shows a file in an editor, and beside it the problems, the listing and the formatted text it would have. */
export function Edit({ name, path }: { readonly name: string; readonly path: string }) {
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [file, setFile] = useState<FileJson>()
  const [text, setText] = useState('')
  const [draft, setDraft] = useState<DraftJson>()
  const [said, setSaid] = useState('')
  /** File as another program saved it meanwhile. */
  const [other, setOther] = useState<FileJson>()
  const isChanged = file !== undefined && text !== file.text
  const state = useRef({ file, text })
  state.current = { file, text }

  /** Keeps what is typed, so that another view, or loading the page again, does not lose it. */
  const keep = (typed: string, from: FileJson | undefined): void => {
    if (from !== undefined)
      keepDraft(path, typed === from.text ? undefined : { name, text: typed, version: from.version })
  }

  /** Shows a state of the file in place of what is typed. */
  const take = (now: FileJson | undefined, message: string): void => {
    if (now === undefined) return
    state.current = { file: now, text: now.text }
    setFile(now)
    setOther(undefined)
    keepDraft(path, undefined)
    editor.current?.replace(now.text)
    setSaid(message)
  }

  const save = (): void => {
    const now = state.current
    if (now.file === undefined || now.text === now.file.text) return
    setSaid('Saving …')
    ask('save', { path, text: now.text, version: now.file.version }).then(
      saved => {
        if ('problem' in saved) {
          setSaid([saved.problem.message, saved.problem.hint].filter(Boolean).join(' '))
          compare(now.file?.version)
          return
        }
        const after = { path, text: now.text, version: saved.version }
        setFile(after)
        setOther(undefined)
        setSaid('Saved.')
        keep(state.current.text, after)
      },
      (error: unknown) => setSaid(sentence(error)),
    )
  }

  /** Shows what another program saved. The text typed here stays. */
  const compare = (version: string | undefined): void => {
    ask('file', { path }).then(
      found => setOther(found.version === version ? undefined : found),
      (error: unknown) => setSaid(sentence(error)),
    )
  }

  useEffect(() => {
    if (isReport) return undefined
    let isWanted = true
    // The editor is as large as the rest of the page, so it is loaded only for editing.
    Promise.all([ask('file', { path }), import('./editor.js')]).then(
      ([found, { openEditor }]) => {
        if (!isWanted || box.current === null) return
        const kept = draftOf(path)
        const typed = kept?.text ?? found.text
        const isOlder = kept !== undefined && kept.version !== found.version && kept.text !== found.text
        // The text of the draft was made from another version: the person decides which one counts.
        setFile(isOlder ? { ...found, version: kept.version } : found)
        if (isOlder) setOther(found)
        setText(typed)
        if (kept !== undefined) setSaid('This is your draft: it is not saved.')
        editor.current = openEditor(box.current, typed, {
          onChange: now => {
            setText(now)
            setSaid('')
            keep(now, state.current.file)
          },
          onSave: save,
        })
      },
      (error: unknown) => setSaid(sentence(error)),
    )
    return () => {
      isWanted = false
      editor.current?.close()
    }
  }, [path])

  useEffect(() => {
    if (file === undefined) return undefined
    const gone = new AbortController()
    const timer = setTimeout(() => {
      ask('check', { path, text }, gone.signal).then(setDraft, (error: unknown) => {
        if (gone.signal.aborted) return
        setDraft(undefined)
        setSaid(sentence(error))
      })
    }, 150)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text, file])

  return (
    <div class="edit">
      <div class="filter">
        <h1>
          <code>{path}</code>
        </h1>
        <button type="button" disabled={!isChanged} onClick={save}>
          Save
        </button>
        <button
          type="button"
          disabled={!isChanged}
          onClick={() => take(other ?? file, 'Discarded. Undo in the editor brings it back.')}
        >
          Discard
        </button>
        <a href={linkTo('skills', name, path)}>Back</a>
        <span role="status">
          {said === '' && isChanged ? 'Not saved. Kept as a draft until this tab is closed.' : said}
        </span>
      </div>
      <div class="editor" ref={box} />
      <div class="beside" role="region" aria-label="What it would be" tabIndex={0}>
        {other !== undefined && (
          <section aria-label="What was saved meanwhile">
            <h2>What was saved meanwhile, and your text</h2>
            <p>Your text is not saved. What only the file has is marked with −, what only your text has with +.</p>
            <Difference before={other.text} after={text} />
            <p class="buttons">
              <button
                type="button"
                onClick={() => {
                  setFile(other)
                  setOther(undefined)
                  keep(text, other)
                  setSaid('Save once more to put your text in its place.')
                }}
              >
                Keep mine
              </button>
              <button type="button" onClick={() => take(other, '')}>
                Take theirs
              </button>
            </p>
          </section>
        )}
        <h2>What is wrong</h2>
        {draft !== undefined && draft.problems.length === 0 && <p>Nothing.</p>}
        {draft !== undefined && <Problems problems={draft.problems} />}
        <h2>What the model is told</h2>
        {draft?.told === null && <p>Nothing: it would not load.</p>}
        {draft?.told === '' && <p>Nothing: it is kept from the model.</p>}
        {draft?.told && <pre tabIndex={0}>{draft.told}</pre>}
        <h2>How it reads</h2>
        <Body text={bodyOf(text)} isTyped />
      </div>
    </div>
  )
}

/** Returns the text after the frontmatter. */
function bodyOf(text: string): string {
  const end = /^---[^\S\n]*\r?\n[^]*?\n---[^\S\n]*(?:\r?\n|$)/.exec(text)
  return end === null ? text : text.slice(end[0].length)
}
