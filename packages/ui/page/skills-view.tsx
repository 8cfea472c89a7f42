import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { indexed, matching, noFilter, ordered, type Filter, type Order } from './filter.js'
import { counted, stateWords } from './words.js'
import { Guarded } from './guarded.js'
import { go, linkTo, type Route } from './route.js'
import { SkillDetail } from './skill-detail.js'
import { useAnswer } from './ask.js'
import { useVirtualRows } from './virtual-rows.js'
import { Waiting } from './parts.js'
import type { SkillRow } from '../src/api.js'

const none: readonly SkillRow[] = []

const states: Readonly<Record<string, string>> = { '': 'any state', problems: 'with problems', ...stateWords }

const orders: Readonly<Record<Order, string>> = {
  precedence: 'who wins first',
  name: 'by name',
  source: 'by source',
  problems: 'most problems first',
}

/** Shows a list of all skills, and beside it the selected one. */
export function Skills({ name, path }: Route) {
  const { value: rows = none, problem, isAsking } = useAnswer('skills', {})
  const [filter, setFilter] = useState<Filter>(noFilter)
  const all = useMemo(() => indexed(rows), [rows])
  const sorted = useMemo(() => ordered(all, filter.order), [all, filter.order])
  const found = useMemo(() => matching(sorted, filter), [sorted, filter])
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
  const choose = (part: Partial<Filter>): void => setFilter({ ...filter, ...part })
  return (
    <div class={name === undefined ? 'split' : 'split has-detail'}>
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
        {rows.length === 0 ? (
          <p class="pad quiet">
            There are no skills. Make the first with <code>skills new NAME</code>; it appears here.
          </p>
        ) : (
          <SkillList rows={found} name={name} path={path} />
        )}
      </section>
      <section aria-label="The skill" class="detail">
        {name === undefined ? (
          <div class="pad">
            <h1>Skills</h1>
            <p class="quiet">Choose a skill to see where it comes from, what it says and what it can do.</p>
          </div>
        ) : (
          <Guarded key={`${name} ${path ?? ''}`}>
            <SkillDetail name={name} path={path} />
          </Guarded>
        )}
      </section>
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
  readonly rows: readonly SkillRow[]
  readonly name: string | undefined
  readonly path: string | undefined
}

const rowHeight = 52
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }

const isUsable = ({ state }: SkillRow): boolean => state === 'active' || state === 'qualified'

/** Shows the list. It is one stop of the tab key; arrow keys move in it, and the selected skill is shown beside it. */
function SkillList({ rows, name, path }: ListProps) {
  const { box, items, size, scrollTo } = useVirtualRows(rows.length, rowHeight)
  const at = useMemo(
    () => rows.findIndex(row => row.name === name && (path === undefined || row.path === path)),
    [rows, name, path],
  )
  // Scrolls to the skill that the address names, or that a key press selected.
  useEffect(() => {
    if (at >= 0) scrollTo(at)
  }, [at])
  const choose = (index: number, isReplaced: boolean): void => {
    const row = rows[index]
    if (row !== undefined) go(linkTo('skills', row.name, row.path), isReplaced)
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
          const row = rows[index]
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
