import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { ComponentChildren, RefObject } from 'preact'

export interface VirtualRows {
  readonly box: RefObject<HTMLDivElement | null>
  /** Rows near the visible part, each with its position. */
  readonly items: readonly { readonly index: number; readonly start: number }[]
  /** Height of all rows in pixels. */
  readonly size: number
  scrollTo(index: number): void
}

/** Lays out rows of one height. Only the visible ones become elements. */
export function useVirtualRows(count: number, height: number): VirtualRows {
  const box = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const options = {
    count,
    estimateSize: () => height,
    getScrollElement: () => box.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    onChange: () => redraw(0),
  }
  const kept = useRef<Virtualizer<HTMLDivElement, HTMLElement>>(null)
  const virtualizer = (kept.current ??= new Virtualizer<HTMLDivElement, HTMLElement>(options))
  virtualizer.setOptions(options)
  // The library's adapters call these two: they have no other name.
  // oxlint-disable-next-line no-underscore-dangle
  useEffect(() => virtualizer._didMount(), [])
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtualizer._willUpdate())
  return {
    box,
    items: virtualizer.getVirtualItems(),
    size: virtualizer.getTotalSize(),
    scrollTo: index => virtualizer.scrollToIndex(index, { align: 'auto' }),
  }
}

interface RowsProps<Row> {
  readonly rows: readonly Row[]
  /** Height of each row in pixels. */
  readonly height: number
  readonly label: string
  readonly children: (row: Row) => ComponentChildren
}

/** Shows a long list without selection. The browser scrolls it by keys. */
export function LongList<Row>({ rows, height, label, children }: RowsProps<Row>) {
  const { box, items, size } = useVirtualRows(rows.length, height)
  return (
    <div ref={box} class="rows" role="list" aria-label={label} tabIndex={0}>
      <div role="presentation" style={{ height: `${size}px` }}>
        {items.map(({ index, start }) => {
          const row = rows[index]
          return row === undefined ? undefined : (
            <div
              key={index}
              role="listitem"
              class="row"
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(${start}px)`, height: `${height}px` }}
            >
              {children(row)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
