import { useEffect, useMemo, useRef } from 'preact/hooks'
import {
  indexed,
  isUsable,
  matching,
  noFilter,
  ordered,
  partOf,
  type Filter,
  type Indexed,
  type Order,
} from './filter.js'
import { counted, filterWords, partWords, stateWords } from './words.js'
import { Guarded } from './guarded.js'
import { Health } from './health-view.js'
import { isOwn } from '../src/answers/own-skills.js'
import { linkTo, type Parameters, type Route } from './address.js'
import { go } from './route.js'
import { SkillDetail } from './skill-detail.js'
import { useAnswer } from './ask.js'
import { useVirtualRows } from './virtual-rows.js'
import { Waiting } from './parts.js'
import type { About, SkillRow } from '../src/api.js'

const none: readonly SkillRow[] = []

const states: Readonly<Record<string, string>> = { '': 'any state', ...filterWords }

const orders: Readonly<Record<Order, string>> = {
  precedence: 'who wins first',
  name: 'by name',
  source: 'by source',
  problems: 'most problems first',
}

/** Returns the filter in an address. */
function filterIn({ more }: Route): Filter {
  const order = more.get('order') ?? ''
  return {
    words: more.get('words') ?? '',
    state: more.get('state') ?? '',
    source: more.get('source') ?? '',
    order: isOrder(order) ? order : noFilter.order,
  }
}

/** Returns the parameters of an address for a filter. What is usual is left out. */
const parametersOf = ({ order, ...filter }: Filter): Parameters => ({
  ...filter,
  order: order === noFilter.order ? '' : order,
})

interface SkillsProps extends Route {
  readonly about: About | undefined
}

/** Shows a list of all skills, and beside it the selected one, or the health of all. */
export function Skills({ about, ...route }: SkillsProps) {
  const { view, name, path } = route
  const { value: rows = none, problem, isAsking } = useAnswer('skills', {})
  const health = useAnswer('health', {})
  const filter = filterIn(route)
  const all = useMemo(() => indexed(rows, health.value), [rows, health.value])
  const sorted = useMemo(() => ordered(all, filter.order), [all, filter.order])
  const found = useMemo(() => matching(sorted, filter), [sorted, filter.words, filter.state, filter.source])
  const sources = useMemo(() => [...new Set(rows.map(({ source }) => source ?? ''))].filter(Boolean), [rows])
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      search.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (rows.length === 0 && (isAsking || problem !== undefined))
    return <Waiting problem={problem} what="Looking for skills" />
  /** The filter is part of the address, so that it can be sent to someone; "back" goes over each choice, not each key. */
  const choose = (part: Partial<Filter>): void =>
    go(
      linkTo(view === 'home' ? 'skills' : view, name, path, parametersOf({ ...filter, ...part })),
      Object.keys(part).join() === 'words',
    )
  const hasOwn = rows.some(({ source }) => isOwn(source))
  const isLanding = name === undefined
  return (
    <div class={view === 'home' || !isLanding ? 'split has-detail' : 'split'}>
      <section aria-label="All skills" class="side">
        <form class="filter" role="search" onSubmit={event => event.preventDefault()}>
          <input
            ref={search}
            type="search"
            aria-label="Filter by name, description or path"
            placeholder="Filter   /"
            value={filter.words}
            onInput={({ currentTarget }) => choose({ words: currentTarget.value })}
          />
          <Choice label="State" value={filter.state} options={states} onChange={state => choose({ state })} />
          <Choice
            label="Source"
            value={filter.source}
            options={{ '': 'any source', ...Object.fromEntries(sources.map(source => [source, source])) }}
            onChange={source => choose({ source })}
          />
          <Choice
            label="Order"
            value={filter.order}
            options={orders}
            onChange={order => choose({ order: isOrder(order) ? order : 'precedence' })}
          />
          <output>
            {found.length === rows.length
              ? counted(rows.length, 'skill')
              : `${found.length.toLocaleString('en')} of ${counted(rows.length, 'skill')}`}
          </output>
        </form>
        {!hasOwn && (
          <p class="pad quiet note">
            {rows.length === 0 ? 'There are no skills.' : 'These came with the program: none is yours yet.'} Make the
            first with <code>skills new NAME</code>; it appears here.
          </p>
        )}
        {found.length === 0 && rows.length > 0 ? (
          <NoHit all={all} filter={filter} onChoose={choose} />
        ) : (
          <SkillList rows={found} name={name} path={path} more={parametersOf(filter)} />
        )}
      </section>
      <section aria-label={isLanding ? 'Health' : 'The skill'} class="detail">
        {isLanding ? (
          <>
            <a class="back" href={linkTo('skills')}>
              All {counted(rows.length, 'skill')} →
            </a>
            <Guarded>
              <Health rows={all} answer={health} route={route} about={about} hasOwn={hasOwn} />
            </Guarded>
          </>
        ) : (
          <Guarded key={`${name} ${path ?? ''}`}>
            <SkillDetail
              name={name}
              path={path}
              tokens={all.find(one => one.row.name === name)?.tokens}
              more={parametersOf(filter)}
            />
          </Guarded>
        )}
      </section>
    </div>
  )
}

interface NoHitProps {
  readonly all: readonly Indexed[]
  readonly filter: Filter
  readonly onChoose: (part: Partial<Filter>) => void
}

/** Says which part of the filter leaves nothing, and takes it away. */
function NoHit({ all, filter, onChoose }: NoHitProps) {
  const { words, state, source } = filter
  const elsewhere = matching(all, { ...noFilter, words }).length
  return (
    <div class="pad" role="status">
      <p>
        No skill {words === '' ? 'is in this state' : <>matches “{words}”</>}
        {words !== '' && state !== '' && ` and is ${states[state] ?? state}`}
        {source !== '' && ` in ${source}`}.
      </p>
      {words !== '' && elsewhere > 0 && (
        <p>
          <button type="button" onClick={() => onChoose({ state: '', source: '' })}>
            Show the {elsewhere.toLocaleString('en')} in any state and source
          </button>
        </p>
      )}
      {words !== '' && elsewhere === 0 && (
        <p class="quiet">
          A word may be part of a name, a description or a path. If a skill of this name should be there:{' '}
          <a href={linkTo('skills', words.trim())}>why does “{words.trim()}” not show?</a>
        </p>
      )}
      <p>
        <button type="button" onClick={() => onChoose({ ...noFilter })}>
          Clear the filter
        </button>
      </p>
    </div>
  )
}

const isOrder = (text: string): text is Order => Object.hasOwn(orders, text)

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {Object.entries(options).map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface ListProps {
  readonly rows: readonly Indexed[]
  readonly name: string | undefined
  readonly path: string | undefined
  /** Filter, which stays while a person chooses in the list. */
  readonly more: Parameters
}

const rowHeight = 52
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }

/** Shows the list. It is one stop of the tab key; arrow keys move in it, and the selected skill is shown beside it. */
function SkillList({ rows, name, path, more }: ListProps) {
  const { box, items, size, scrollTo } = useVirtualRows(rows.length, rowHeight)
  const at = useMemo(
    () => rows.findIndex(({ row }) => row.name === name && (path === undefined || row.path === path)),
    [rows, name, path],
  )
  // Scrolls to the skill that the address names, or that a key press selected.
  useEffect(() => {
    if (at >= 0) scrollTo(at)
  }, [at])
  const choose = (index: number, isReplaced: boolean): void => {
    const { row } = rows[index] ?? {}
    if (row !== undefined) go(linkTo('skills', row.name, row.path, more), isReplaced)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    const last = rows.length - 1
    const next =
      event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? undefined : Math.max(-1, at) + step
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    event.preventDefault()
    choose(Math.max(0, Math.min(last, next)), at >= 0)
  }
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label="Skills"
      tabIndex={0}
      aria-activedescendant={items.some(({ index }) => index === at) ? `row-${at}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${size}px` }}>
        {items.map(({ index, start }) => {
          const { row, tokens, needsTrust } = rows[index] ?? {}
          return row === undefined ? undefined : (
            <div
              key={index}
              id={`row-${index}`}
              class={isUsable(row) ? 'row skill' : 'row skill inactive'}
              role="option"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => choose(index, false)}
            >
              <span class="name">{row.name}</span>
              <span class="source">{row.source}</span>
              <span class="about">{isUsable(row) ? row.description : row.reason}</span>
              <span class="marks">
                {row.state !== 'active' && <span>{stateWords[row.state]}</span>}
                {needsTrust === true && <span class="warning">not trusted</span>}
                <Told row={row} tokens={tokens} />
                {row.errors > 0 && <b class="error">{counted(row.errors, 'error')}</b>}
                {row.errors === 0 && row.warnings > 0 && <b class="warning">{counted(row.warnings, 'warning')}</b>}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Shows what a skill costs in each turn, and whether the model is told less than the whole. */
function Told({ row, tokens }: { readonly row: SkillRow; readonly tokens: number | undefined }) {
  const part = isUsable(row) ? partOf(row) : undefined
  return (
    <>
      {part !== undefined && part !== 'whole' && <span class="warning">{partWords[part]}</span>}
      {tokens !== undefined && <span title="Estimated, in each turn">{counted(tokens, 'token')}</span>}
    </>
  )
}
