import { useMemo, useState } from 'preact/hooks'
import { Choice } from './skills-view.js'
import { counted, partWords as words } from './words.js'
import { isReport, useAnswer } from './ask.js'
import { LongList } from './virtual-rows.js'
import { SkillLink, Waiting } from './parts.js'
import { stretchesOf } from './bar.js'
import { linkTo, type Parameters, type Route } from './address.js'
import { go } from './route.js'
import { shownWindow } from '../src/answers/shown-engine.js'
import type { About, ListingJson } from '../src/api.js'

/** Common sizes of context windows, in tokens. */
const windows = [8_000, 16_000, 32_000, 64_000, 128_000, 200_000, 400_000, 1_000_000]

/** Returns the place of a window in the list. Default: the window of the other views. */
function windowAt(given: string | null): number {
  const at = windows.indexOf(Number(given ?? shownWindow))
  return at === -1 ? windows.indexOf(shownWindow) : at
}

/** Shows which skills would be listed to a model, and which find no room. */
export function Budget({ route, about }: { readonly route: Route; readonly about: About | undefined }) {
  // What is tried is part of the address, so that it can be sent to someone, and "back" takes it back.
  const { more } = route
  const agent = more.get('agent') ?? ''
  const at = windowAt(more.get('window'))
  const pinned = more.getAll('pin')
  const off = more.getAll('off')
  const tryOut = (change: Parameters, isReplaced = false): void =>
    go(
      linkTo('budget', undefined, undefined, { agent, window: more.get('window') ?? '', pin: pinned, off, ...change }),
      isReplaced,
    )
  const setAgent = (name: string): void => tryOut({ agent: name })
  const asked = {
    ...(agent !== '' && { agent }),
    contextWindow: windows[at],
    ...(pinned.length > 0 && { pinned }),
    ...(off.length > 0 && { off }),
  }
  const { value, problem, isAsking } = useAnswer('listing', isReport ? {} : asked)
  const toggle = (names: readonly string[], name: string): readonly string[] =>
    names.includes(name) ? names.filter(other => other !== name) : [...names, name]
  const tried = [...pinned.map(name => [name, 'pinned']), ...off.map(name => [name, 'off'])]
  return (
    <div class="column">
      <h1>What the model is told</h1>
      {!isReport && (
        <form class="filter" onSubmit={event => event.preventDefault()}>
          <label>
            Agent{' '}
            <Choice
              label="Agent"
              value={agent}
              options={{
                '': `${about?.distribution ?? ''} (shown here)`,
                ...Object.fromEntries((about?.agents ?? []).map(name => [name, name])),
              }}
              onChange={setAgent}
            />
          </label>
          <label class="window">
            Context window{' '}
            <input
              type="range"
              min={0}
              max={windows.length - 1}
              value={at}
              aria-valuetext={counted(windows[at] ?? 0, 'token')}
              onInput={({ currentTarget }) => tryOut({ window: `${windows[Number(currentTarget.value)]}` }, true)}
            />{' '}
            <output>{counted(windows[at] ?? 0, 'token')}</output>
          </label>
          {isAsking && value !== undefined && <span class="quiet">…</span>}
        </form>
      )}
      {tried.length > 0 && (
        <div class="tried">
          <p>
            Tried here alone. To keep it, put this into the configuration (<code>skills.config.json</code>):
          </p>
          <pre tabIndex={0}>{JSON.stringify({ overrides: Object.fromEntries(tried) }, undefined, 2)}</pre>
          <button type="button" onClick={() => tryOut({ pin: [], off: [] })}>
            Take it all back
          </button>
        </div>
      )}
      {value === undefined ? (
        <Waiting problem={problem} what="Making the listing" />
      ) : (
        <Listing
          listing={value}
          pinned={pinned}
          off={off}
          onPin={name => tryOut({ pin: toggle(pinned, name) })}
          onOff={name => tryOut({ off: toggle(off, name) })}
        />
      )}
    </div>
  )
}

interface ListingProps {
  readonly listing: ListingJson
  readonly pinned: readonly string[]
  readonly off: readonly string[]
  readonly onPin: (name: string) => void
  readonly onOff: (name: string) => void
}

function Listing({ listing, pinned, off, onPin, onOff }: ListingProps) {
  const { entries, omitted, kept, budgetChars, usedChars, text } = listing
  const stretches = useMemo(() => stretchesOf(listing), [listing])
  const [pointed, setPointed] = useState<string>()
  const counts = { whole: 0, cut: 0, name: 0, omitted: omitted.length }
  for (const { shown } of entries) counts[shown] += 1
  const room = Math.max(budgetChars ?? 0, usedChars, 1)
  const rows = useMemo(
    () => [
      ...entries.map(one => ({ ...one, why: words[one.shown], kind: one.shown })),
      ...omitted.map(one => ({
        ...one,
        chars: 0,
        text: '',
        why: one.cause === 'strategy' ? 'left out: others fit better' : words.omitted,
        kind: 'omitted' as const,
      })),
      ...kept
        .filter(({ name }) => !off.includes(name))
        .map(({ reasons, ...one }) => ({
          ...one,
          chars: 0,
          text: '',
          why: reasons[0]?.text ?? 'kept from the model',
          kind: 'kept' as const,
        })),
      ...off.map(name => ({
        name,
        source: null,
        chars: 0,
        text: '',
        why: 'switched off, to try it',
        kind: 'off' as const,
      })),
    ],
    [entries, omitted, kept, off],
  )
  return (
    <>
      <p>
        {usedChars.toLocaleString('en')} characters
        {budgetChars === null ? ', without a budget' : ` of ${budgetChars.toLocaleString('en')}`}:{' '}
        {Object.entries(words).map(([kind, word], at) => (
          <span key={kind}>
            {at > 0 && ', '}
            <i class={`key told-${kind}`} /> {(counts[kind as keyof typeof counts] ?? 0).toLocaleString('en')} {word}
          </span>
        ))}
        .
      </p>
      <div
        class={stretches.length > 100 ? 'bar narrow' : 'bar'}
        role="group"
        aria-label="The room of the listing, and what takes it"
        tabIndex={0}
        onKeyDown={moveInBar}
      >
        {stretches.map(({ shown, chars, names }) => {
          const name = `${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ''}: ${words[shown]}`
          const point = (): void => setPointed(`${name}, ${counted(chars, 'character')}`)
          return (
            <a
              key={names[0]}
              class={`told-${shown}`}
              href={linkTo('skills', names[0])}
              tabIndex={-1}
              aria-label={name}
              style={{ width: `${(chars / room) * 100}%` }}
              onFocus={point}
              onPointerEnter={point}
            />
          )
        })}
      </div>
      <p class="hint">
        {pointed ?? 'Point at a part of the bar, or move in it with the arrow keys, to see which skill it is.'}
      </p>
      <div class="entries">
        <LongList rows={rows} height={44} label="Skills in the order of the listing">
          {({ name, source, chars, why, kind, text: line }) => (
            <div class={`entry told-${kind}`}>
              <i class={`key told-${kind}`} />
              <SkillLink name={name} />
              <span class="source">{source}</span>
              <span class="about" title={line || why}>
                {line === '' ? why : `${why}, ${counted(chars, 'character')}: ${line}`}
              </span>
              {!isReport && kind !== 'kept' && (
                <span class="buttons">
                  <button type="button" aria-pressed={pinned.includes(name)} onClick={() => onPin(name)}>
                    pin
                  </button>
                  <button type="button" aria-pressed={off.includes(name)} onClick={() => onOff(name)}>
                    switch off
                  </button>
                </span>
              )}
            </div>
          )}
        </LongList>
      </div>
      <details>
        <summary>The text, to the letter</summary>
        <pre class="text" tabIndex={0}>
          {text.length > 200_000 ? `${text.slice(0, 200_000)}…` : text}
        </pre>
      </details>
    </>
  )
}

/** Moves between the links of the bar by arrow keys. The bar is a single stop of the tab key. */
function moveInBar(event: KeyboardEvent): void {
  const { currentTarget: bar, key } = event
  if (!(bar instanceof HTMLElement) || event.ctrlKey || event.altKey || event.metaKey) return
  const links = [...bar.querySelectorAll('a')]
  const at = links.findIndex(link => link === document.activeElement)
  const last = links.length - 1
  const next = { ArrowRight: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0), Home: 0, End: last }[key]
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}
